/** Why a file could not be read as a table. */
export type UnreadableReason =
  | 'tooLarge'
  /** Of a kind that holds no table, or one that is not known. */
  | 'kind'
  | 'pdf'
  | 'picture'
  | 'document'
  | 'archive'
  /** A web page under the name of a spreadsheet, as school systems export them. */
  | 'webPage'
  /** Excel 95 and before, and Excel's binary workbooks. */
  | 'otherExcel'
  /** Protected by a password. */
  | 'locked'
  | 'broken'
  /** Its characters cannot be told reliably. */
  | 'text'
  | 'empty';

/** A file that could not be read as a table. */
export class UnreadableFile extends Error {
  readonly reason: UnreadableReason;

  constructor(reason: UnreadableReason, cause?: unknown) {
    super(reason, { cause });
    this.reason = reason;
  }
}
