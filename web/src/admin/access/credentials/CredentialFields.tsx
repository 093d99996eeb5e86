import type { Credential, Permission } from '@classledger/contract';
import {
  Button,
  Checkbox,
  Fieldset,
  Group,
  Input,
  NumberInput,
  Paper,
  SegmentedControl,
  Select,
  SimpleGrid,
  Stack,
  Text,
} from '@mantine/core';
import { IconAlertTriangle, IconLock } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import type { DataOf } from '../../../api/operation-types.ts';
import { useOperation } from '../../../api/queries.ts';
import { Hint } from '../../../components/Hint.tsx';
import { ClassPicker, GradePicker } from '../../../components/StructurePickers.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { serverNow } from '../../../school-time/school-time.ts';
import { useSchool } from '../../school.tsx';
import { type ChosenScope, type Expiry, expiryTime, isExpiryUsable, presetDays } from './credential-form.ts';
import { permissionTexts } from './permission-texts.ts';
import { texts } from './texts.ts';

export type Meta = DataOf<'getCredentialMeta'>;

interface ScopeFieldsProps {
  readonly meta: Meta;
  readonly value: ChosenScope;
  readonly onChange: (value: ChosenScope) => void;
  readonly error?: string;
}

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
            onChange={(chosen) => onChange({ ...value, type: chosen })}
            data={meta.scopeTypes.map((one) => ({ value: one, label: t(`scope_${one}`) }))}
          />
        )}
      </Input.Wrapper>
      {fixed && (
        <>
          <Group gap={8} px={12} py={8} bdrs="md" bd="1px solid var(--app-line)" bg="var(--app-background)">
            <IconLock aria-hidden size={16} />
            {nameOf({ scopeType: type, scopeGradeId: gradeId, scopeClassId: classId })}
          </Group>
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

type Scope = Pick<Credential, 'scopeType' | 'scopeGradeId' | 'scopeClassId'>;

export function useScopeName(): (scope: Scope) => string {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const { data: grades } = useOperation('listSchoolGrades', { query: { schoolDb } });
  const { data: classes } = useOperation('listSchoolClasses', { query: { schoolDb } });
  return ({ scopeType, scopeGradeId, scopeClassId }) => {
    if (scopeType === 'school') return t('scope_school');
    if (scopeType === 'grade') {
      const grade = grades?.find(({ id }) => id === scopeGradeId);
      return grade?.name ?? (grades ? t('gone') : '…');
    }
    const found = classes?.find(({ id }) => id === scopeClassId);
    if (!found) return classes ? t('gone') : '…';
    return `${found.gradeName} ${found.name}`;
  };
}

interface PermissionFieldsProps {
  readonly offered: Meta['permissions'];
  readonly value: readonly Permission[];
  readonly onChange: (value: Permission[]) => void;
  readonly error?: string;
}

/** Shows permissions to delete data in a group of their own, which no preset contains. */
export function PermissionFields({ offered, value, onChange, error }: PermissionFieldsProps) {
  const t = useTexts(texts);
  const p = useTexts(permissionTexts);
  const harmless = offered.filter(({ dangerous }) => !dangerous).map(({ name }) => name);
  const dangerous = offered.filter((one) => one.dangerous).map(({ name }) => name);
  const presets = [
    ['presetRead', harmless.filter((name) => name.endsWith(':read'))],
    ['presetSafe', harmless],
    ['presetNone', []],
  ] as const;
  const toggle = (name: Permission, on: boolean) =>
    // Keeps the display order, not the order of the clicks.
    onChange(offered.map((one) => one.name).filter((other) => (other === name ? on : value.includes(other))));
  const box = (name: Permission) => (
    <Checkbox
      key={name}
      label={p(name)}
      description={p(`about ${name}`)}
      checked={value.includes(name)}
      onChange={(event) => toggle(name, event.currentTarget.checked)}
    />
  );
  return (
    <Fieldset variant="unstyled" legend={t('permissions')} styles={{ legend: legendStyle }}>
      <Hint>{t('permissionsHint')}</Hint>
      <Group gap="xs" my="sm">
        {presets.map(([text, names]) => (
          <Button key={text} size="xs" variant="default" onClick={() => onChange([...names])}>
            {t(text)}
          </Button>
        ))}
      </Group>
      {error && (
        <Input.Error mb="sm" role="alert" data-fault tabIndex={-1}>
          {error}
        </Input.Error>
      )}
      <Stack gap="sm">
        {/* Each kind of data starts a line, with the permission to read it. */}
        {[...Map.groupBy(harmless, (name) => name.split(':')[0]).values()].map((names) => (
          <Boxes key={names[0]}>{names.map(box)}</Boxes>
        ))}
      </Stack>
      <Paper
        radius="md"
        mt="md"
        px="md"
        py={14}
        bd="1px solid color-mix(in srgb, var(--app-minus) 45%, var(--app-line))"
        bg="color-mix(in srgb, var(--app-minus) 5%, transparent)"
      >
        <Stack gap="sm">
          <div>
            <Group gap={8} c="var(--app-minus)" fw={600}>
              <IconAlertTriangle aria-hidden size={18} />
              {t('dangerTitle')}
            </Group>
            <Text size="sm">{t('dangerText')}</Text>
          </div>
          <Boxes>{dangerous.map(box)}</Boxes>
        </Stack>
      </Paper>
    </Fieldset>
  );
}

const legendStyle = { fontWeight: 600, marginBottom: 0 };

function Boxes({ children }: { readonly children: ReactNode }) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md" verticalSpacing="sm">
      {children}
    </SimpleGrid>
  );
}

interface ExpiryFieldProps {
  readonly value: Expiry;
  readonly onChange: (value: Expiry) => void;
  readonly maxDays: number;
  readonly present?: string | null;
}

export function ExpiryField({ value, onChange, maxDays, present }: ExpiryFieldProps) {
  const t = useTexts(texts);
  const [custom, setCustom] = useState(false);
  const format = useFormat();
  const presets = presetDays(maxDays);
  const usable = isExpiryUsable(value, maxDays);
  const hint = () => {
    if (value === 'never') return t('neverHint');
    if (value !== 'keep') return usable ? t('endsOn', { day: format.day(expiryTime(value)) }) : '';
    if (present == null) return t('keepNever');
    const ended = Date.parse(present) <= serverNow();
    return t(ended ? 'keepEnded' : 'keepEnds', { day: format.day(present) });
  };
  const choose = (chosen: Expiry | 'custom' | null) => {
    setCustom(chosen === 'custom');
    if (chosen !== null && chosen !== 'custom') onChange(chosen);
    else if (typeof value === 'string') onChange(presets[0] ?? 1);
  };
  return (
    <Stack gap="xs">
      <Select<Expiry | 'custom'>
        label={t('expiry')}
        description={hint()}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        value={custom ? 'custom' : value}
        onChange={choose}
        data={[
          ...(present === undefined ? [] : [{ value: 'keep' as const, label: t('expiryKeep') }]),
          ...presets.map((days) => ({ value: days, label: t('expiryDays', { count: days }) })),
          { value: 'custom', label: t('expiryCustom') },
          { value: 'never', label: t('expiryNever') },
        ]}
        allowDeselect={false}
      />
      {custom && (
        <NumberInput
          label={t('expiryDaysLabel')}
          value={typeof value === 'number' && Number.isFinite(value) ? value : ''}
          onChange={(days) => onChange(days === '' ? Number.NaN : Number(days))}
          min={1}
          max={maxDays}
          clampBehavior="none"
          allowDecimal={false}
          error={!usable && t('expiryInvalid', { max: maxDays })}
        />
      )}
    </Stack>
  );
}
