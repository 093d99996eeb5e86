import type { AuditRecord } from '@classledger/contract';
import { useMemo } from 'react';
import { useOperation } from '../../../api/queries.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { texts } from './texts.ts';

/** The credentials that the log can be about, and what to call the one of a record. */
export function useCredentialNames(schoolDb: string | undefined) {
  const t = useTexts(texts);
  const { data, isPending } = useOperation('listCredentials', { query: { schoolDb } });
  const names = useMemo(() => new Map((data ?? []).map(({ id, name }) => [id, name])), [data]);
  const nameOf = ({ tokenId, tokenPrefix }: Pick<AuditRecord, 'tokenId' | 'tokenPrefix'>): string => {
    if (tokenId === null) return t('noCredential');
    const known = names.get(tokenId);
    if (known !== undefined) return known;
    // Revoked credentials leave their list, not the log.
    if (tokenPrefix === null) return t('unknownCredential', { id: tokenId });
    return isPending ? tokenPrefix : t('revokedCredential', { prefix: tokenPrefix });
  };
  return { names, nameOf };
}
