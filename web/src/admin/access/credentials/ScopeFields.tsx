import type { ScopeType } from '@classledger/contract';
import { Input, SegmentedControl, Stack } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import type { DataOf } from '../../../api/operation-types.ts';
import { ClassPicker, GradePicker } from '../../../components/StructurePickers.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { useSchool } from '../../school.tsx';
import classes from './Credentials.module.css';
import type { ChosenScope } from './credential-form.ts';
import { texts } from './texts.ts';
import { useScopeName } from './use-scope-name.ts';

interface ScopeFieldsProps {
  readonly meta: DataOf<'getCredentialMeta'>;
  readonly value: ChosenScope;
  readonly onChange: (value: ChosenScope) => void;
  readonly error: string | false | undefined;
}

const typeTexts = { school: 'wholeSchool', grade: 'oneGrade', class: 'oneClass' } as const satisfies Record<
  ScopeType,
  string
>;

export function ScopeFields({ meta, value, onChange, error }: ScopeFieldsProps) {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const nameOf = useScopeName();
  const { type, gradeId, classId } = value;
  const fixed =
    (type === 'grade' && meta.fixedGradeId !== null) || (type === 'class' && meta.fixedClassId !== null);
  return (
    <Stack gap="xs">
      <Input.Wrapper label={t('scope')} labelElement="div" description={t('scopeHint')}>
        {meta.scopeTypes.length > 1 && (
          <SegmentedControl
            fullWidth
            mt={6}
            aria-label={t('scope')}
            value={type}
            onChange={(chosen) => onChange({ ...value, type: chosen as ScopeType })}
            data={meta.scopeTypes.map((one) => ({ value: one, label: t(typeTexts[one]) }))}
          />
        )}
      </Input.Wrapper>
      {fixed && (
        <>
          <div className={classes.locked}>
            <IconLock aria-hidden size={16} />
            {nameOf({ scopeType: type, scopeGradeId: gradeId, scopeClassId: classId })}
          </div>
          <Input.Description>{t('scopeLocked')}</Input.Description>
        </>
      )}
      {!fixed && type === 'grade' && (
        <GradePicker
          schoolDb={schoolDb}
          value={gradeId}
          onChange={(id) => onChange({ ...value, gradeId: id })}
          error={error}
        />
      )}
      {!fixed && type === 'class' && (
        <ClassPicker
          schoolDb={schoolDb}
          gradeId={meta.fixedGradeId}
          value={classId}
          onChange={(id) => onChange({ ...value, classId: id })}
          error={error}
        />
      )}
    </Stack>
  );
}
