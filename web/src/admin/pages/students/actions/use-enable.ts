import type { Student } from '@classledger/contract';
import { notifications } from '@mantine/notifications';
import { useCallback } from 'react';
import { useMutationOf } from '../../../../api/queries.ts';
import { useFailureText } from '../../../../components/failure-text.ts';
import { useTexts } from '../../../../i18n/texts.ts';
import { useSchool } from '../../../school.tsx';
import { affectedByStudents } from '../affected.ts';
import { texts } from './texts.ts';

/** Lets a disabled student sign in again; harmless, so nobody is asked. */
export function useEnable(): (student: Pick<Student, 'id'>) => void {
  const t = useTexts(texts);
  const failureText = useFailureText();
  const { schoolDb } = useSchool();
  const { mutate } = useMutationOf('updateUser', {
    invalidates: affectedByStudents,
    onSuccess: (data) => notifications.show({ message: t('enabledDone', { name: data.actualName }) }),
    onError: (error) => notifications.show({ color: 'red', title: t('failed'), message: failureText(error) }),
  });
  return useCallback(
    ({ id }) => mutate({ params: { id }, body: { schoolDb, disabled: false } }),
    [mutate, schoolDb],
  );
}
