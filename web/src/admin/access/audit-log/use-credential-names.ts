import type { AuditRecord } from '@classledger/contract';
import { useMemo } from 'react';
import { useOperation } from '../../../api/queries.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { texts } from './texts.ts';

export function useCredentialNames(schoolDb: string | undefined) {
  const t = useTexts(texts);
  const { data, isPending } = useOperation('listCredentials', { query: { schoolDb } });
  const names = useMemo(() => new Map((data ?? []).map(({ id, name }) => [id, name])), [data]);
  const nameOf = ({ tokenId, tokenPrefix }: Pick<AuditRecord, 'tokenId' | 'tokenPrefix'>): string => {
    if (tokenId === null) return t('noCredential');
    const known = names.get(tokenId);
    if (known !== undefined) return known;
    // The list lacks revoked credentials, but the log still contains their calls.
    if (tokenPrefix === null) return t('unknownCredential', { id: tokenId });
    return isPending ? tokenPrefix : t('revokedCredential', { prefix: tokenPrefix });
  };
  return { names, nameOf };
}
