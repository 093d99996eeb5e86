export type UnreadableReason =
  | 'tooLarge'
  | 'kind'
  | 'pdf'
  | 'picture'
  | 'document'
  | 'archive'
  /** A web page with the name of a spreadsheet, as some school systems export lists. */
  | 'webPage'
  /** Excel 95 and earlier, and Excel's binary format (.xlsb). */
  | 'otherExcel'
  | 'locked'
  | 'broken'
  | 'text'
  | 'empty';

export class UnreadableFile extends Error {
  readonly reason: UnreadableReason;

  constructor(reason: UnreadableReason, cause?: unknown) {
    super(reason, { cause });
    this.reason = reason;
  }
}
