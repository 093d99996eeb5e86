import { rangeOfRole } from 'virtual:admin-contract';
import type { Administrator } from '@classledger/contract';
import { Button, Select } from '@mantine/core';
import type { DialogProps } from '../../../components/ConfirmDialog.tsx';
import { Hint } from '../../../components/Hint.tsx';
import { ClassPicker, GradePicker } from '../../../components/StructurePickers.tsx';
import { UsernameInput } from '../../../components/UsernameInput.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { useMe } from '../../me.ts';
import { FormDialog } from '../../page/FormDialog.tsx';
import { defineWrite } from '../../page/write.ts';
import { useSchools } from '../../school.tsx';
import { texts as shellTexts } from '../../shell/texts.ts';
import { NewPasswordDialog } from '../../students/passwords/PasswordDialog.tsx';
import {
  type Affiliation,
  affiliationFields,
  grantableRoles,
  isAffiliationComplete,
  isSameAffiliation,
} from './affiliation.ts';
import { texts } from './texts.ts';

interface AdministratorFormProps extends DialogProps {
  readonly administrator?: Administrator;
}

export function AdministratorForm({ administrator, ...dialog }: AdministratorFormProps) {
  const t = useTexts(texts);
  const me = useMe();
  const { school } = useSchools();
  // Unchanged fields are not sent, so an administrator whose class was deleted can still be renamed.
  const isUnchanged = (affiliation: Affiliation) =>
    administrator !== undefined && isSameAffiliation(administrator, affiliation);
  return (
    <FormDialog<{ username: string; affiliation: Affiliation }>
      {...dialog}
      title={administrator ? t('editTitle', { name: administrator.username }) : t('add')}
      submitLabel={t(administrator ? 'save' : 'add')}
      bodyOf="createAdministrator"
      values={{
        username: administrator?.username ?? '',
        // The account that is usually added: an office for a new school, otherwise a class teacher.
        affiliation: administrator ?? {
          role: me.role === 'super_admin' ? 'school_admin' : 'class_admin',
          schoolId: me.schoolId ?? school?.id ?? null,
          gradeId: me.gradeId,
          classId: null,
        },
      }}
      check={({ affiliation }) => ({
        affiliation: !isAffiliationComplete(affiliation) && !isUnchanged(affiliation) && t('rangeMissing'),
      })}
      save={({ username, affiliation }) =>
        administrator
          ? defineWrite(
              'updateAdministrator',
              {
                params: { id: administrator.id },
                body: { username, ...(!isUnchanged(affiliation) && affiliationFields(affiliation)) },
              },
              () => t('saved'),
            )
          : defineWrite(
              'createAdministrator',
              { body: { username, generatePassword: true, ...affiliationFields(affiliation) } },
              ({ initialPassword = '', username: name }) =>
                (next) => (
                  <NewPasswordDialog
                    {...next}
                    title={t('addedTitle', { name })}
                    account={name}
                    password={initialPassword}
                  >
                    <Button onClick={next.onClose}>{t('done')}</Button>
                  </NewPasswordDialog>
                ),
            )
      }
      sentences={{ 409: t('usernameTaken'), 403: t('refused') }}
    >
      {({ field }) => (
        <>
          <UsernameInput {...field('username')} description={t('usernameHint')} />
          <AffiliationFields {...field('affiliation')} locked={administrator?.id === me.id} />
          {!administrator && <Hint>{t('firstPassword')}</Hint>}
        </>
      )}
    </FormDialog>
  );
}

interface AffiliationFieldsProps {
  readonly value: Affiliation;
  readonly onChange: (value: Affiliation) => void;
  readonly error?: string;
  readonly locked: boolean;
}

function AffiliationFields({ value, onChange, error, locked }: AffiliationFieldsProps) {
  const t = useTexts(texts);
  const s = useTexts(shellTexts);
  const me = useMe();
  const { schools } = useSchools();
  const { role, schoolId, gradeId, classId } = value;
  const range = rangeOfRole[role];
  const schoolDb = schools.find(({ id }) => id === schoolId)?.schoolDb;
  return (
    <>
      <Select
        label={t('role')}
        description={locked ? t('ownRole') : t(`about_${role}`)}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        data={grantableRoles(me.role).map((one) => ({ value: one, label: s(one) }))}
        value={role}
        onChange={(chosen) => onChange({ ...value, role: chosen ?? role })}
        allowDeselect={false}
        disabled={locked}
      />
      {range !== 'everything' && me.role === 'super_admin' && (
        <Select
          label={t('school')}
          placeholder={t('pickSchool')}
          data={schools.map(({ id, name }) => ({ value: id, label: name }))}
          value={schoolId}
          onChange={(id) => onChange({ ...value, schoolId: id, gradeId: null, classId: null })}
          searchable
          allowDeselect={false}
          limit={100}
          error={schoolId === null && error}
        />
      )}
      {range === 'grade' && schoolDb !== undefined && (
        <GradePicker
          schoolDb={schoolDb}
          value={gradeId}
          onChange={(id) => onChange({ ...value, gradeId: id })}
          withLabel
          error={error}
        />
      )}
      {range === 'class' && schoolDb !== undefined && (
        <ClassPicker
          schoolDb={schoolDb}
          value={classId}
          onChange={(id) => onChange({ ...value, classId: id })}
          withLabel
          error={error}
        />
      )}
    </>
  );
}
