import { Button, Checkbox, Group, Input, Select, Stack, Text } from '@mantine/core';
import { ClassPicker } from '../../../components/StructurePickers.tsx';
import { useForm } from '../../../components/use-form.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { useMe } from '../../me.ts';
import { useSchool } from '../../school.tsx';
import classes from './ImportPage.module.css';
import { fieldOf, type ImportDraft, withColumn } from './import-draft.ts';
import { type ImportField, importFields, partsOf } from './plan-import.ts';
import { RowsAbove } from './RowsAbove.tsx';
import { texts } from './texts.ts';

interface ColumnsStepProps {
  readonly draft: ImportDraft;
  readonly onChange: (change: Partial<ImportDraft>) => void;
  readonly onBack: () => void;
  readonly onNext: () => void;
}

const previewRows = 6;
const previewColumns = 30;

/** The second step: what the columns hold, and where rows without a class belong. */
export function ColumnsStep({ draft, onChange, onBack, onNext }: ColumnsStepProps) {
  const t = useTexts(texts);
  const me = useMe();
  const { schoolDb } = useSchool();
  const { mapping, hasHeader, headerIndex, defaultClassId, list } = draft;
  const { above, students } = partsOf(list?.rows ?? [], draft);
  const faults = {
    username: mapping.username === null && t('needUsername'),
    class: mapping.className === null && defaultClassId === null && t('needClass'),
  };
  const { submit, shown } = useForm(faults, onNext);
  return (
    <Stack gap="lg">
      <Group justify="space-between">
        <Text fw={600}>
          {t('rowsFound', { count: students.length, name: list?.name ?? t('pastedName') })}
        </Text>
        <Checkbox
          label={t('hasHeader', { line: list?.rows[headerIndex]?.line ?? 1 })}
          checked={hasHeader}
          onChange={(event) => onChange({ hasHeader: event.currentTarget.checked })}
        />
      </Group>
      <RowsAbove rows={above} />
      <Preview draft={draft} onChange={onChange} />
      {list?.isGuess && (
        <Text size="sm" c="dimmed">
          {t('encodingGuessed')}
        </Text>
      )}
      {shown.username && (
        <Text c="red" size="sm" role="alert">
          {shown.username}
        </Text>
      )}
      {me.classId === null && (
        <div className={classes.options}>
          <Input.Wrapper
            label={t(mapping.className === null ? 'classForAll' : 'classForRest')}
            labelElement="div"
          >
            <ClassPicker
              schoolDb={schoolDb}
              value={defaultClassId}
              onChange={(id) => onChange({ defaultClassId: id })}
              error={shown.class}
            />
          </Input.Wrapper>
        </div>
      )}
      <Text size="sm" c="dimmed">
        {t('passwordForEach')}
      </Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={onBack}>
          {t('otherList')}
        </Button>
        <Button onClick={submit}>{t('next')}</Button>
      </Group>
    </Stack>
  );
}

function Preview({ draft, onChange }: Pick<ColumnsStepProps, 'draft' | 'onChange'>) {
  const t = useTexts(texts);
  const { mapping, hasHeader } = draft;
  const first = hasHeader ? draft.headerIndex : 0;
  const rows = (draft.list?.rows ?? []).slice(first, first + previewRows);
  const width = Math.min(previewColumns, Math.max(1, ...rows.map(({ cells }) => cells.length)));
  const columns = Array.from({ length: width }, (_, column) => column);
  const labels: Record<ImportField, string> = {
    username: t('fieldUsername'),
    actualName: t('fieldName'),
    gradeName: t('grade'),
    className: t('class'),
  };
  const options = [
    { value: 'none', label: t('fieldNone') },
    ...importFields.map((field) => ({ value: field, label: labels[field] })),
  ];
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className={classes.preview} aria-label={t('previewLabel')} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                <Select
                  size="sm"
                  aria-label={t('columnHolds', { n: column + 1 })}
                  value={fieldOf(mapping, column) ?? 'none'}
                  onChange={(field) =>
                    onChange({
                      mapping: withColumn(mapping, column, importFields.find((one) => one === field) ?? null),
                    })
                  }
                  data={options}
                  allowDeselect={false}
                />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ line, cells }, index) => (
            <tr key={line} data-header={(hasHeader && index === 0) || undefined}>
              {columns.map((column) => (
                <td key={column} data-unused={fieldOf(mapping, column) === null || undefined}>
                  {cells[column] ?? ''}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
