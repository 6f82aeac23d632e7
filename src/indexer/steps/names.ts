/** A form of a stem, and how many pages use it first. */
interface FormVotes {
  readonly form: string;
  readonly count: number;
}

/** Whether of two forms the first names their stem: that which most pages use first, of equals the first in string order. */
export function namesBefore(a: FormVotes, b: FormVotes): boolean {
  return a.count === b.count ? a.form < b.form : a.count > b.count;
}
