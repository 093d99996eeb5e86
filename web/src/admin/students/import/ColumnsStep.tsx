import { Button, Group, Input, Stack, Text } from '@mantine/core';
import { ClassPicker } from '../../../components/StructurePickers.tsx';
import { useForm } from '../../../components/use-form.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { ColumnsPreview } from '../../lists/ColumnsPreview.tsx';
import classes from '../../lists/Lists.module.css';
import type { ReadList } from '../../lists/read-list.ts';
import { useMe } from '../../me.ts';
import { useSchool } from '../../school.tsx';
import type { ImportDraft } from './import-draft.ts';
import type { ImportField } from './student-columns.ts';
import { texts } from './texts.ts';

interface ColumnsStepProps {
  readonly draft: ImportDraft;
  readonly onChange: (change: Partial<ImportDraft>) => void;
  /** Another worksheet was read. */
  readonly onList: (list: ReadList) => void;
  readonly onBack: () => void;
  readonly onNext: () => void;
}

/** The second step: what the columns hold, and where rows without a class belong. */
export function ColumnsStep({ draft, onChange, onList, onBack, onNext }: ColumnsStepProps) {
  const t = useTexts(texts);
  const me = useMe();
  const { schoolDb } = useSchool();
  const { mapping, defaultClassId, list } = draft;
  const faults = {
    username: mapping.username === null && t('needUsername'),
  };
  const labels: Record<ImportField, string> = {
    username: t('fieldUsername'),
    actualName: t('fieldName'),
    gradeName: t('grade'),
    className: t('class'),
    externalId: t('fieldExternalId'),
    cardNumber: t('fieldCardNumber'),
  };
  const { submit, shown } = useForm(faults, onNext);
  return (
    <Stack gap="lg">
      {list && (
        <ColumnsPreview list={list} layout={draft} labels={labels} onLayout={onChange} onList={onList} />
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
