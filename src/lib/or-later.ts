/** A value that is there, or comes: of what mostly has nothing to wait for, as a wait costs more than the value. */
export type OrLater<Value> = Value | Promise<Value>;

/** What `next` makes of a value, at once where it is there. */
export function andThen<Value, Next>(
  value: OrLater<Value>,
  next: (value: Value) => OrLater<Next>,
): OrLater<Next> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** What `make` makes; `end` is called when that is there, or cannot be. */
export function endedBy<Value>(make: () => OrLater<Value>, end: () => void): OrLater<Value> {
  let made: OrLater<Value> | null = null;
  try {
    made = make();
    return made instanceof Promise ? made.finally(end) : made;
  } finally {
    if (!(made instanceof Promise)) end();
  }
}

/** What `make` makes as what comes: where it cannot be made that is a rejection, too. */
export async function later<Value>(make: () => Value): Promise<Value> {
  return make();
}
