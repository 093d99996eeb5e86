import { rangeOfRole } from 'virtual:admin-contract';
import { limits } from 'virtual:contract';
import type { Administrator } from '@classledger/contract';
import { Button, Select, TextInput } from '@mantine/core';
import { useOperation } from '../../../api/queries.ts';
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
  accountLabel,
  affiliationFields,
  grantableRoles,
  isAffiliationComplete,
  isSameAffiliation,
} from './affiliation.ts';
import { TaughtClassesField } from './TaughtClassesField.tsx';
import { changedTaughtClasses, type TaughtRow, taughtFault, taughtRowsOf } from './taught-classes.ts';
import { texts } from './texts.ts';

interface AdministratorFormProps extends DialogProps {
  readonly administrator?: Administrator;
}

interface Values {
  readonly name: string;
  readonly username: string;
  readonly affiliation: Affiliation;
  readonly teaches: readonly TaughtRow[];
}

export function AdministratorForm({ administrator, ...dialog }: AdministratorFormProps) {
  const t = useTexts(texts);
  const me = useMe();
  const { schools, school } = useSchools();
  const schoolDbOf = (id: number | null) => schools.find((one) => one.id === id)?.schoolDb;
  const taughtBefore = administrator?.teaches ?? [];
  const isFixed = useFixedClasses(taughtBefore, schoolDbOf(administrator?.schoolId ?? null));
  // Unchanged fields are not sent, so an administrator whose class was deleted can still be renamed.
  const isUnchanged = (affiliation: Affiliation) =>
    administrator !== undefined && isSameAffiliation(administrator, affiliation);
  const commonFields = ({ name, username, affiliation, teaches }: Values) => {
    const taught = isOfSchool(affiliation) ? changedTaughtClasses(teaches, taughtBefore) : null;
    return {
      username,
      name: name.trim() || null,
      ...(taught && { teaches: taught.filter(({ classId }) => !isFixed(classId)) }),
    };
  };
  return (
    <FormDialog<Values>
      {...dialog}
      title={administrator ? t('editTitle', { name: accountLabel(administrator) }) : t('add')}
      submitLabel={t(administrator ? 'save' : 'add')}
      bodyOf="createAdministrator"
      values={{
        name: administrator?.name ?? '',
        username: administrator?.username ?? '',
        // The account that is usually added: an office for a new school, otherwise a class teacher.
        affiliation: administrator ?? {
          role: me.role === 'super_admin' ? 'school_admin' : 'class_admin',
          schoolId: me.schoolId ?? school?.id ?? null,
          gradeId: me.gradeId,
          classId: null,
        },
        teaches: taughtRowsOf(taughtBefore),
      }}
      check={({ affiliation, teaches }) => {
        const fault = teaches.map((row) => taughtFault(teaches, row)).find((one) => one !== null);
        return {
          affiliation: !isAffiliationComplete(affiliation) && !isUnchanged(affiliation) && t('rangeMissing'),
          teaches: isOfSchool(affiliation) && fault && t(fault),
        };
      }}
      save={(values) =>
        administrator
          ? defineWrite(
              'updateAdministrator',
              {
                params: { id: administrator.id },
                body: {
                  ...commonFields(values),
                  ...(!isUnchanged(values.affiliation) && affiliationFields(values.affiliation)),
                },
              },
              () => t('saved'),
            )
          : defineWrite(
              'createAdministrator',
              {
                body: {
                  ...commonFields(values),
                  generatePassword: true,
                  ...affiliationFields(values.affiliation),
                },
              },
              ({ initialPassword = '', ...created }) =>
                (next) => (
                  <NewPasswordDialog
                    {...next}
                    title={t('addedTitle', { name: accountLabel(created) })}
                    account={created.username}
                    password={initialPassword}
                  >
                    <Button onClick={next.onClose}>{t('done')}</Button>
                  </NewPasswordDialog>
                ),
            )
      }
      sentences={{ 409: t('usernameTaken'), 403: t('refused') }}
    >
      {({ field, values: { affiliation, teaches }, set }) => {
        const schoolDb = schoolDbOf(affiliation.schoolId);
        return (
          <>
            <TextInput
              {...field('name')}
              label={t('personName')}
              maxLength={limits.nameLengthMax}
              autoComplete="off"
            />
            <UsernameInput {...field('username')} description={t('usernameHint')} />
            <AffiliationFields
              {...field('affiliation')}
              onChange={(next) =>
                set({ affiliation: next, teaches: next.schoolId === affiliation.schoolId ? teaches : [] })
              }
              locked={administrator?.id === me.id}
            />
            {isOfSchool(affiliation) && schoolDb !== undefined && (
              <TaughtClassesField {...field('teaches')} schoolDb={schoolDb} isFixed={isFixed} />
            )}
            {!administrator && <Hint>{t('firstPassword')}</Hint>}
          </>
        );
      }}
    </FormDialog>
  );
}

const isOfSchool = ({ role }: Affiliation) => rangeOfRole[role] !== 'everything';

/** Returns a function that is true for taught classes that cannot be sent: graduated ones, and those of others. */
function useFixedClasses(taught: Administrator['teaches'], schoolDb = '') {
  const { gradeId } = useMe();
  const { data } = useOperation(
    'listSchoolClasses',
    { query: { schoolDb } },
    { enabled: schoolDb !== '' && taught.length > 0 },
  );
  const managed = data?.filter((one) => gradeId === null || one.gradeId === gradeId);
  const fixed = new Set(
    taught.map(({ classId }) => classId).filter((id) => !managed?.some((one) => one.id === id)),
  );
  return (classId: number | null) => classId !== null && fixed.has(classId);
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
