import type { Static } from 'typebox';
import { Type } from '../../../lib/json-schema.ts';
import { JUDGEMENTS } from '../../../store/feedback-log.ts';
import { by, exact, generation, orNull } from '../fields.ts';

export const FeedbackSchema = exact('Feedback', {
  at: Type.String({ description: 'When it came, UTC.' }),
  generation,
  by,
  url: Type.String({ description: 'The page of the index that the URL stands for.' }),
  related_url: Type.String({ description: 'The same of the page that is judged.' }),
  judgement: Type.Enum([...JUDGEMENTS]),
  rank: orNull(
    Type.Integer({
      minimum: 1,
      maximum: 100,
      description:
        'Its place in the list of GET /related without filters; null where the first 100 do not have it.',
    }),
  ),
});

/** The body of POST /feedback, and a line of the file. */
export type FeedbackAnswer = Static<typeof FeedbackSchema>;
