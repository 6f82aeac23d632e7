/** A value that is there, or comes: given by what mostly has nothing to wait for, as a wait costs more than the value. */
export type OrLater<Value> = Value | Promise<Value>;
