import { Button, Checkbox, Modal, Progress, Stack, Text } from '@mantine/core';
import { useSet } from '@mantine/hooks';
import { IconSitemap } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useMemo, useState } from 'react';
import { hasStatus } from '../../api/api-failure.ts';
import { call } from '../../api/call.ts';
import { useOperation } from '../../api/queries.ts';
import { invalidateStaleReads } from '../../api/stale-reads.ts';
import { FormFooter, type SubmitState } from '../../components/FormFooter.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { useMayDo } from '../me.ts';
import { useSchool } from '../school.tsx';
import { Notice } from '../students/passwords/Notice.tsx';
import classes from './Lists.module.css';
import {
  addableClassFinder,
  addMissingClasses,
  type MissingClass,
  missingClasses,
  type RowWithUnknownClass,
} from './missing-classes.ts';
import { texts } from './texts.ts';

interface MissingClassesProps {
  readonly plan: readonly RowWithUnknownClass[];
  readonly whose: 'student' | 'teacher';
}

/** Returns a function that finds the class to add for a name in the list; null if the user may not add it. */
export function useAddableClass(): ReturnType<typeof addableClassFinder> {
  const mayDo = useMayDo();
  const { schoolDb } = useSchool();
  const { data: grades } = useOperation('listSchoolGrades', { query: { schoolDb } });
  const mayAddClasses = mayDo('manageClasses');
  const mayAddGrades = mayDo('manageGrades');
  return useMemo(
    () => (grades && mayAddClasses ? addableClassFinder({ grades, mayAddGrades }) : () => null),
    [grades, mayAddClasses, mayAddGrades],
  );
}

export function MissingClasses({ plan, whose }: MissingClassesProps) {
  const t = useTexts(texts);
  const addableClass = useAddableClass();
  const { schoolDb } = useSchool();
  const client = useQueryClient();
  const [opened, setOpened] = useState(false);
  const [done, setDone] = useState(0);
  const missing = useMemo(() => missingClasses(plan, addableClass), [plan, addableClass]);
  const add = useMutation({
    mutationFn: async (chosen: readonly MissingClass[]) => {
      setDone(0);
      try {
        await addMissingClasses(chosen, {
          addGrade: (name) => call('createSchoolGrade', { body: { schoolDb, name } }),
          addClass: (gradeId, name) =>
            call('createSchoolClass', { body: { schoolDb, gradeId, name } }).catch((refusal: unknown) => {
              // Ignored, because somebody else has added the class meanwhile.
              if (!hasStatus(refusal, 409)) throw refusal;
            }),
          onProgress: setDone,
        });
      } finally {
        // Refetches grades and classes, so that the page plans the list again with the new ones.
        await invalidateStaleReads(client, ['createSchoolGrade', 'createSchoolClass']);
      }
    },
    onSuccess: () => setOpened(false),
  });
  const close = () => {
    if (add.isPending) return;
    setOpened(false);
    add.reset();
  };
  if (missing.length === 0 && !opened) return null;
  return (
    <>
      {missing.length > 0 && (
        <Notice icon={IconSitemap} tone="good" title={t('missingTitle', { count: missing.length })}>
          <Text>{t('missingText')}</Text>
          <div>
            <Button onClick={() => setOpened(true)}>{t('missingOpen')}</Button>
          </div>
        </Notice>
      )}
      <Modal
        opened={opened}
        onClose={close}
        title={t('missingDialog')}
        size="lg"
        withCloseButton={!add.isPending}
      >
        <MissingForm missing={missing} whose={whose} add={add} done={done} onCancel={close} />
      </Modal>
    </>
  );
}

interface MissingFormProps {
  readonly missing: readonly MissingClass[];
  readonly whose: MissingClassesProps['whose'];
  readonly add: SubmitState & { readonly mutate: (chosen: readonly MissingClass[]) => void };
  readonly done: number;
  readonly onCancel: () => void;
}

function MissingForm({ missing, whose, add, done, onCancel }: MissingFormProps) {
  const t = useTexts(texts);
  const excluded = useSet<string>();
  const chosen = missing.filter(({ key }) => !excluded.has(key));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    add.mutate(chosen);
  };
  return (
    <Stack component="form" onSubmit={submit}>
      <Text aria-live="polite">
        {add.isPending ? t('progress', { done, total: chosen.length }) : t('missingChoose')}
      </Text>
      {add.isPending ? (
        <Progress
          value={(100 * done) / Math.max(1, chosen.length)}
          size="lg"
          animated
          aria-label={t('missingDialog')}
        />
      ) : (
        [...Map.groupBy(missing, ({ gradeName }) => gradeName)].map(([gradeName, own]) => (
          <fieldset key={gradeName} className={classes.missingGrade}>
            <legend>
              {gradeName}
              {own.some(({ gradeId }) => gradeId === null) && ` · ${t('newGrade')}`}
            </legend>
            {own.map(({ key, className, rows }) => (
              <Checkbox
                key={key}
                checked={!excluded.has(key)}
                onChange={() => excluded.delete(key) || excluded.add(key)}
                label={t('missingOne', { name: className, people: t(`${whose}Count`, { count: rows }) })}
              />
            ))}
          </fieldset>
        ))
      )}
      <FormFooter
        sticky
        attempt={add}
        onCancel={onCancel}
        submitLabel={t('missingAdd', { count: chosen.length })}
        disabled={chosen.length === 0}
      />
    </Stack>
  );
}
