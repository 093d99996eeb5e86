import type { Credential } from '@classledger/contract';
import { useQuery } from '@tanstack/react-query';
import { hasStatus } from '../../../api/api-failure.ts';
import { call } from '../../../api/call.ts';
import type { FailureSentences } from '../../../components/failure-text.ts';
import { useTexts } from '../../../i18n/texts.ts';
import type { ChosenScope } from './scope.ts';
import { texts } from './texts.ts';

interface Refusal {
  /** To be shown; null while it is not known yet what a 403 was about. */
  readonly error: unknown;
  readonly sentences: FailureSentences;
}

/**
 * What to say about a confirmed operation that failed. The API answers 403 to a wrong password and also to what is
 * not in the caller's range any more, because someone gave the administrator another one meanwhile. Only its English
 * sentence differs, so the range is looked up again: what still lies in it was refused for the password.
 */
export function useRefusal(error: unknown, isInRange: () => Promise<boolean>): Refusal {
  const t = useTexts(texts);
  const refused = hasStatus(error, 403);
  const { data: inRange, isPending } = useQuery({
    queryKey: ['refusal', refused && error.requestId],
    queryFn: isInRange,
    enabled: refused,
    gcTime: 0,
    retry: false,
  });
  return {
    error: refused && isPending ? null : error,
    sentences: { 403: t(inRange === false ? 'notYours' : 'wrongPassword') },
  };
}

/** Whether a credential for this may be issued by the administrator as they are now. */
export async function isScopeInRange(schoolDb: string, scope: ChosenScope): Promise<boolean> {
  const query = { schoolDb };
  try {
    const [{ scopeTypes }, grades, classes] = await Promise.all([
      call('getCredentialMeta'),
      call('listSchoolGrades', { query }),
      call('listSchoolClasses', { query }),
    ]);
    if (!scopeTypes.includes(scope.type)) return false;
    if (scope.type === 'grade') return grades.some(({ id }) => id === scope.gradeId);
    return scope.type === 'school' || classes.some(({ id }) => id === scope.classId);
  } catch (error) {
    if (isOutside(error)) return false;
    throw error;
  }
}

/** Whether a credential is one of those that the administrator may see now. */
export async function isCredentialInRange(schoolDb: string, { id }: Credential): Promise<boolean> {
  try {
    const credentials = await call('listCredentials', { query: { schoolDb } });
    return credentials.some((one) => one.id === id);
  } catch (error) {
    if (isOutside(error)) return false;
    throw error;
  }
}

/** Whether an answer says that the school itself is not in the range. */
const isOutside = (error: unknown) => hasStatus(error, 403) || hasStatus(error, 404);
