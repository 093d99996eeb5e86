export type UnreadableReason =
  | 'tooLarge'
  | 'kind'
  | 'pdf'
  | 'picture'
  | 'document'
  | 'archive'
  /** A web page named like a spreadsheet, as school systems export them. */
  | 'webPage'
  /** Excel 95 and earlier, and Excel's binary workbooks. */
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
