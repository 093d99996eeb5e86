import { useQuery } from '@tanstack/react-query';
import { hasStatus } from '../../../api/api-failure.ts';
import { call } from '../../../api/call.ts';
import type { FailureSentences } from '../../../components/failure-text.ts';
import { useTexts } from '../../../i18n/texts.ts';
import type { ChosenScope } from './credential-form.ts';
import { texts } from './texts.ts';

interface Refusal {
  /** The error to show; null until it is known what a 403 means. */
  readonly error: unknown;
  readonly sentences: FailureSentences;
}

/** Finds out whether a 403 means a wrong password or a target outside the user's range, by checking the range. */
export function useRefusal(error: unknown, isInRange: () => Promise<boolean>): Refusal {
  const t = useTexts(texts);
  const refused = hasStatus(error, 403);
  const { data, isPending } = useQuery({
    queryKey: ['refusal', refused && error.requestId],
    queryFn: () =>
      isInRange().catch((failure: unknown) => {
        if (hasStatus(failure, 403, 404)) return false;
        throw failure;
      }),
    enabled: refused,
    gcTime: 0,
    retry: false,
  });
  return {
    error: refused && isPending ? null : error,
    sentences: { 403: t(data === false ? 'notYours' : 'wrongPassword') },
  };
}

export async function isScopeInRange(schoolDb: string, scope: ChosenScope): Promise<boolean> {
  const query = { schoolDb };
  const [{ scopeTypes }, grades, classes] = await Promise.all([
    call('getCredentialMeta'),
    call('listSchoolGrades', { query }),
    call('listSchoolClasses', { query }),
  ]);
  if (!scopeTypes.includes(scope.type)) return false;
  if (scope.type === 'grade') return grades.some(({ id }) => id === scope.gradeId);
  return scope.type === 'school' || classes.some(({ id }) => id === scope.classId);
}

export async function isCredentialInRange(schoolDb: string, credentialId: number): Promise<boolean> {
  const credentials = await call('listCredentials', { query: { schoolDb } });
  return credentials.some(({ id }) => id === credentialId);
}
