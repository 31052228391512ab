/** A fault that the operator can mend: its message says what it is, and the command line shows it without a stack. */
export class OperatorError extends Error {
  constructor(message?: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}
