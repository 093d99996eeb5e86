/** A call of the external API. Token and school are null without a known credential. */
export interface AuditEntry {
  readonly requestId: string;
  readonly tokenId: number | null;
  readonly tokenPrefix: string | null;
  readonly schoolId: number | null;
  readonly method: string;
  readonly path: string;
  readonly statusCode: number;
  readonly latencyMs: number;
  readonly ip: string;
  readonly userAgent: string | null;
  readonly errorMessage: string | null;
  readonly at: Date;
}
