import type { AuditRecord } from '@classledger/contract';
import { Alert, Skeleton } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import type { DataOf } from '../../../api/operation-types.ts';
import { useOperation } from '../../../api/queries.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { useSchool } from '../../school.tsx';
import { refusalTexts } from './refusal-texts.ts';

type CallExplanation = DataOf<'explainCall'>;

export function RefusalExplanation({ record }: { readonly record: AuditRecord }) {
  const w = useTexts(refusalTexts);
  const { schoolDb } = useSchool();
  const { id, createdAt, tokenId } = record;
  // Calls without a known credential belong to no school.
  const query = { id, createdAt, ...(tokenId !== null && { schoolDb }) };
  const { data, isPending } = useOperation('explainCall', { query });
  if (isPending) return <Skeleton height={74} />;
  if (!data) return null;
  const now = currentStateTextKey(data);
  return (
    <Alert
      icon={<IconInfoCircle aria-hidden size={20} />}
      title={w('why')}
      color={data.resolved ? 'teal' : 'minus'}
    >
      {w(causeTextKey(data), { permission: data.permission ?? '', id: data.targetId ?? '' })} {now && w(now)}
    </Alert>
  );
}

function causeTextKey({ cause, scopeTypes, where, target }: CallExplanation) {
  if (cause === 'scopeType') return scopeTypes.includes('grade') ? 'scopeGrade' : 'scopeSchool';
  if (cause === 'outOfRange' || cause === 'notFound') {
    if (target === null) return cause;
    return where === 'outside' ? 'outside' : where === 'inside' ? 'wasOutside' : 'gone';
  }
  return cause;
}

function currentStateTextKey({ cause, status, resolved, where }: CallExplanation) {
  if (resolved) return 'nowResolved';
  if (status === 'revoked') return 'nowRevoked';
  if (status !== 'enabled' && status !== 'unknown' && !credentialStateCauses.has(cause)) return 'nowUnusable';
  return where === 'inside' ? 'nowResolved' : null;
}

const credentialStateCauses: ReadonlySet<string> = new Set([
  'tokenDisabled',
  'tokenExpired',
  'schoolDisabled',
  'issuerUnable',
]);
