import { OPERATION_ROUTES } from './route/operation.ts';
import { CLUSTER_ROUTES } from './rows/clusters.ts';
import { DOCUMENT_ROUTES } from './rows/documents.ts';
import { EXPORT_ROUTES } from './rows/exports.ts';
import { FEEDBACK_ROUTES } from './rows/feedback.ts';
import { LOOK_UPS } from './rows/look-ups.ts';
import { PAGE_ROUTES } from './rows/pages.ts';
import { RULE_ROUTES } from './rows/rules.ts';
import { SHARD_ROUTES } from './rows/shard.ts';
import { SITE_ROUTES } from './rows/sites.ts';
import { TIME_ROUTES } from './rows/time.ts';

/** All routes, by the names of their operations: HTTP, its documentation, and all who ask go by it. */
export const ROUTES = {
  ...LOOK_UPS,
  ...PAGE_ROUTES,
  ...RULE_ROUTES,
  ...SITE_ROUTES,
  ...CLUSTER_ROUTES,
  ...DOCUMENT_ROUTES,
  ...FEEDBACK_ROUTES,
  ...TIME_ROUTES,
  ...EXPORT_ROUTES,
  ...OPERATION_ROUTES,
  ...SHARD_ROUTES,
};
