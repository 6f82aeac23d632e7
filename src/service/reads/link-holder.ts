import type { LinkGraph } from '../../join/links/link-graph.ts';

/** The links of an index: read into memory at the first question about them, once for all who wait. */
export class LinkHolder {
  readonly #load: () => Promise<LinkGraph>;
  #loading: Promise<LinkGraph> | null = null;
  #held: LinkGraph | null = null;

  constructor(load: () => Promise<LinkGraph>) {
    this.#load = load;
  }

  /** Null where they have not been read. */
  get held(): LinkGraph | null {
    return this.#held;
  }

  /** Takes those that another thread has read. */
  hold(links: LinkGraph): void {
    this.#held = links;
  }

  async get(): Promise<LinkGraph> {
    if (this.#held !== null) return this.#held;
    this.#loading ??= this.#load().finally(() => {
      this.#loading = null;
    });
    return (this.#held = await this.#loading);
  }

  drop(): void {
    this.#held = null;
  }
}
