/** The ids that the relations have in an index. */
export const TOPIC_RELATION_ID = 1;
export const COPY_RELATION_ID = 2;
