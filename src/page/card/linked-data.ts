/** What JSON-LD says of a page, in the words of schema.org. What is no JSON, or not in these words, is passed over. */
import type { PageCard } from './page-card.ts';

/** Things looked at in all scripts of a page. */
const MAX_NODES = 256;
const MAX_IMAGES = 8;
/** What stands beside the page: its publisher, its author, the way to it, other pages. */
const BESIDE =
  /^(Organization|NewsMediaOrganization|Person|WebSite|BreadcrumbList|SiteNavigationElement|ImageObject|Comment)$/;

interface LinkedData extends Pick<PageCard, 'description' | 'publishedAt' | 'modifiedAt'> {
  /** As given, the first first. */
  readonly images: readonly string[];
}

type Node = Readonly<Record<string, unknown>>;

/** @param scripts the texts of the scripts, in order. */
export function readLinkedData(scripts: readonly string[]): LinkedData {
  const nodes = scripts.flatMap(nodesOf).slice(0, MAX_NODES);
  const textOf = (name: string) =>
    nodes.map((node) => node[name]).find((value) => typeof value === 'string') ?? null;
  return {
    images: nodes.flatMap(({ image }) => urlsOf(image)).slice(0, MAX_IMAGES),
    description: textOf('description') as string | null,
    publishedAt: textOf('datePublished') as string | null,
    modifiedAt: textOf('dateModified') as string | null,
  };
}

/** The things of a script: itself, those of a list, those of its graph. */
function nodesOf(script: string): Node[] {
  let data: unknown;
  try {
    data = JSON.parse(script);
  } catch {
    return [];
  }
  return [data]
    .flat(1)
    .flatMap((one) => (isNode(one) && Array.isArray(one['@graph']) ? one['@graph'] : [one]))
    .filter((one) => isNode(one))
    .filter((node) => ![node['@type']].flat(1).some((type) => typeof type === 'string' && BESIDE.test(type)));
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Of an image: a URL, an ImageObject, or a list of these. */
function urlsOf(image: unknown): string[] {
  return [image].flat(1).flatMap((one) => {
    const url = isNode(one) ? (one['url'] ?? one['contentUrl']) : one;
    return typeof url === 'string' ? [url] : [];
  });
}
