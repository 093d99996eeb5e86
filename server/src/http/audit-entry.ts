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

export type EncodedEntry = readonly (string | number)[];

export const insertEntries = `
  INSERT INTO audit_record (school_id, created_at, request_id, token_id, token_prefix, method, path, status_code,
    latency_ms, ip, user_agent, error_message)
  SELECT * FROM unnest($1::bigint[], $2::timestamptz[], $3::uuid[], $4::bigint[], $5::text[], $6::text[],
    $7::text[], $8::int[], $9::real[], $10::text[], $11::text[], $12::text[])`;

/** Encodes an entry when it is recorded, because encoding hundreds at once would delay other answers. */
export function encodeEntry(entry: AuditEntry): EncodedEntry {
  return [
    entry.schoolId ?? 0,
    entry.at.toISOString(),
    entry.requestId,
    entry.tokenId ?? 'NULL',
    arrayElement(entry.tokenPrefix),
    arrayElement(entry.method),
    arrayElement(entry.path),
    entry.statusCode,
    entry.latencyMs,
    arrayElement(entry.ip),
    arrayElement(entry.userAgent),
    arrayElement(entry.errorMessage),
  ];
}

export function columnsOf(entries: readonly EncodedEntry[]): string[] {
  const [first] = entries as readonly [EncodedEntry];
  return first.map((_, column) => `{${entries.map((entry) => entry[column]).join()}}`);
}

const special = /["\\]/;

function arrayElement(value: string | null): string {
  if (value === null) return 'NULL';
  return special.test(value) ? `"${value.replaceAll(/["\\]/g, '\\$&')}"` : `"${value}"`;
}
