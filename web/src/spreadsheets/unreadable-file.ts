/** Why a file could not be read as a table; `text`: its characters cannot be told reliably. */
export class UnreadableFile extends Error {
  readonly reason: 'tooLarge' | 'kind' | 'broken' | 'text' | 'empty';

  constructor(reason: UnreadableFile['reason'], cause?: unknown) {
    super(reason, { cause });
    this.reason = reason;
  }
}
