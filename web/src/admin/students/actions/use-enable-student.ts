import { notifications } from '@mantine/notifications';
import { useCallback } from 'react';
import { useMutationOf } from '../../../api/queries.ts';
import type { StudentNames } from '../../../components/student-names.ts';
import { useFailureNotice } from '../../../components/use-failure-notice.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { useSchool } from '../../school.tsx';
import { texts } from './texts.ts';

interface EnableStudent {
  readonly enable: (studentId: number) => void;
  readonly enabling: number | null;
}

/** Enables a student without asking first, because enabling is harmless. */
export function useEnableStudent({ textOf }: StudentNames): EnableStudent {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const { mutate, isPending, variables } = useMutationOf('updateUser', {
    onSuccess: (data) => notifications.show({ message: t('enabledDone', { name: textOf(data) }) }),
    onError: useFailureNotice(),
  });
  const enable = useCallback(
    (id: number) => mutate({ params: { id }, body: { schoolDb, disabled: false } }),
    [mutate, schoolDb],
  );
  return { enable, enabling: isPending ? variables.params.id : null };
}
