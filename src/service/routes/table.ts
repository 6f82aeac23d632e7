import { CLUSTER_ROUTES } from './clusters.ts';
import { DOCUMENT_ROUTES } from './documents.ts';
import { EXPORT_ROUTES } from './exports.ts';
import { FEEDBACK_ROUTES } from './feedback.ts';
import { LOOK_UPS } from './look-ups.ts';
import { OPERATION_ROUTES } from './operation.ts';
import { SHARD_ROUTES } from './shard.ts';
import { SITE_ROUTES } from './sites.ts';
import { TIME_ROUTES } from './time.ts';

/** All routes, by the names of their operations: HTTP, its documentation, and all who ask go by it. */
export const ROUTES = {
  ...LOOK_UPS,
  ...SITE_ROUTES,
  ...CLUSTER_ROUTES,
  ...DOCUMENT_ROUTES,
  ...FEEDBACK_ROUTES,
  ...TIME_ROUTES,
  ...EXPORT_ROUTES,
  ...OPERATION_ROUTES,
  ...SHARD_ROUTES,
};
