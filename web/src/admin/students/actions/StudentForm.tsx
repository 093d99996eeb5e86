import type { ListedStudent } from '@classledger/contract';
import { Button, SimpleGrid, TextInput } from '@mantine/core';
import { useRef, useState } from 'react';
import { newIdempotencyKey } from '../../../api/call.ts';
import { useOperation } from '../../../api/queries.ts';
import type { DialogProps } from '../../../components/ConfirmDialog.tsx';
import { FailureAlert } from '../../../components/FailureAlert.tsx';
import { useStudentNames } from '../../../components/student-names.ts';
import { UsernameInput } from '../../../components/UsernameInput.tsx';
import { toHalfWidth } from '../../../i18n/letters.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { ManagedClassPicker } from '../../ManagedClassPicker.tsx';
import { useMe } from '../../me.ts';
import { DialogButton } from '../../page/dialogs.tsx';
import { type ContractForm, FormDialog } from '../../page/FormDialog.tsx';
import { defineWrite } from '../../page/write.ts';
import { useSchool } from '../../school.tsx';
import { initialPasswordOf } from '../passwords/initial-password.ts';
import { StudentPasswordDialog } from '../passwords/PasswordDialog.tsx';
import { texts } from './texts.ts';

export function AddStudentForm({ classId, ...dialog }: DialogProps & { readonly classId: number | null }) {
  const t = useTexts(texts);
  const me = useMe();
  const { schoolDb } = useSchool();
  const [isNumbered, setNumbered] = useState(false);
  // The key stays the same for the same content, so a retry after a lost answer creates no second student.
  const sent = useRef({ content: '', key: '' });
  return (
    <FormDialog
      {...dialog}
      title={t('addStudent')}
      submitLabel={t('add')}
      bodyOf="updateUser"
      values={{
        ...{ actualName: '', username: '', externalId: '', cardNumber: '' },
        classId: me.classId ?? classId,
      }}
      check={(typed) => ({
        username: toHalfWidth(typed.username) === '' && t('required'),
        classId: typed.classId === null && t('chooseClass'),
      })}
      save={({ classId: chosen, ...typed }) => {
        if (chosen === null) return null;
        const body = {
          schoolDb,
          classId: chosen,
          username: toHalfWidth(typed.username),
          generatePassword: true,
          actualName: typed.actualName || undefined,
          externalId: toHalfWidth(typed.externalId) || undefined,
          cardNumber: toHalfWidth(typed.cardNumber) || undefined,
        };
        setNumbered(body.externalId !== undefined || body.cardNumber !== undefined);
        const content = JSON.stringify(body);
        if (sent.current.content !== content) sent.current = { content, key: newIdempotencyKey() };
        return defineWrite('createUsers', { body, idempotencyKey: sent.current.key }, (added) => {
          if (!('id' in added)) return null;
          return (next) => (
            <StudentPasswordDialog
              {...next}
              title={t('addStudent')}
              status={t('added', { name: added.actualName })}
              of={initialPasswordOf(added, added)}
            >
              <DialogButton
                variant="default"
                dialog={(again) => <AddStudentForm {...again} classId={chosen} />}
              >
                {t('addAnother')}
              </DialogButton>
              <Button onClick={next.onClose} data-autofocus>
                {t('done')}
              </Button>
            </StudentPasswordDialog>
          );
        });
      }}
      sentences={{ 409: t(isNumbered ? 'identifierTaken' : 'usernameTaken') }}
    >
      {({ field }) => (
        <>
          <TextInput
            {...field('actualName')}
            label={t('name')}
            description={t('nameHint')}
            autoComplete="off"
          />
          <UsernameInput {...field('username')} description={t('usernameHint')} withAsterisk />
          {me.classId === null && <ManagedClassPicker {...field('classId')} schoolDb={schoolDb} withLabel />}
          <IdentifierInputs field={field} />
        </>
      )}
    </FormDialog>
  );
}

export function EditStudentForm({ student, ...dialog }: DialogProps & { readonly student: ListedStudent }) {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const { textOf } = useStudentNames();
  const { id, actualName, username } = student;
  const account = useOperation('getUser', { params: { id }, query: { schoolDb } });
  const knownEmail = account.data?.email ?? '';
  const emailHidden = account.data?.emailBound && account.data.email === null;
  const [isNumbered, setNumbered] = useState(false);
  return (
    <FormDialog
      {...dialog}
      title={t('editTitle', { name: textOf(student) })}
      submitLabel={t('save')}
      bodyOf="updateUser"
      values={{
        ...{ actualName, username },
        ...{ externalId: student.externalId ?? '', cardNumber: student.cardNumber ?? '' },
        // Null until the user changes it, because the list does not know the address.
        email: null as string | null,
      }}
      check={(typed) => ({
        actualName: typed.actualName.trim() === '' && t('required'),
        username: typed.username.trim() === '' && t('required'),
      })}
      save={(typed) => {
        const numbers = identifiers.flatMap((field) => {
          const number = typed[field] || null;
          return number === student[field] ? [] : [[field, number] as const];
        });
        setNumbered(numbers.length > 0);
        const email = typed.email ?? knownEmail;
        const changes = {
          ...(typed.actualName !== actualName && { actualName: typed.actualName }),
          ...(typed.username !== username && { username: typed.username }),
          ...Object.fromEntries(numbers),
          // Super administrators do not see the e-mail address: if they leave the field empty, it stays unchanged.
          ...(email !== knownEmail && { email: email || null }),
        };
        if (Object.keys(changes).length === 0) return null;
        return defineWrite('updateUser', { params: { id }, body: { schoolDb, ...changes } }, () =>
          t('saved'),
        );
      }}
      sentences={{ 409: t(isNumbered ? 'identifierTaken' : 'usernameTaken') }}
    >
      {({ field }) => (
        <>
          <TextInput {...field('actualName')} label={t('name')} autoComplete="off" />
          <UsernameInput {...field('username')} description={t('usernameHint')} />
          <IdentifierInputs field={field} />
          <TextInput
            {...field('email')}
            value={field('email').value ?? knownEmail}
            label={t('email')}
            description={t(emailHidden ? 'emailHidden' : 'emailHint')}
            type="email"
            autoComplete="off"
            disabled={!account.data}
          />
          <FailureAlert error={account.error} />
        </>
      )}
    </FormDialog>
  );
}

const identifiers = ['externalId', 'cardNumber'] as const;
type Identifier = (typeof identifiers)[number];

interface IdentifierInputsProps {
  readonly field: (name: Identifier) => ReturnType<ContractForm<{ [K in Identifier]: string }>['field']>;
}

function IdentifierInputs({ field }: IdentifierInputsProps) {
  const t = useTexts(texts);
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      {identifiers.map((name) => (
        <TextInput
          {...field(name)}
          key={name}
          label={t(name)}
          description={t(`${name}Hint`)}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
      ))}
    </SimpleGrid>
  );
}
