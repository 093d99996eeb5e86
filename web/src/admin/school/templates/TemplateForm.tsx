import { limits } from 'virtual:contract';
import type { Template } from '@classledger/contract';
import { Group, Input, NumberInput, SegmentedControl, Textarea, TextInput } from '@mantine/core';
import type { DialogProps } from '../../../components/ConfirmDialog.tsx';
import { Hint } from '../../../components/Hint.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { CategorySelect } from '../../categories.tsx';
import { ManagedClassPicker } from '../../ManagedClassPicker.tsx';
import { useMe } from '../../me.ts';
import { FormDialog } from '../../page/FormDialog.tsx';
import { defineWrite } from '../../page/write.ts';
import { useSchool } from '../../school.tsx';
import { mayChangeSchoolWide } from './templates.ts';
import { texts } from './texts.ts';

interface TemplateFormProps extends DialogProps {
  readonly template?: Template;
  /** The class that is first chosen for a new template; null for the whole school. */
  readonly classId?: number | null;
  readonly kind?: 'plus' | 'minus';
}

const max = limits.scoreChangeMax;

export function TemplateForm({ template, classId = null, kind = 'plus', ...dialog }: TemplateFormProps) {
  const t = useTexts(texts);
  const me = useMe();
  const { schoolDb } = useSchool();
  const mayWhole = mayChangeSchoolWide(me.role);
  const before = template && (template.scoreChange > 0 ? 'plus' : 'minus');
  return (
    <FormDialog
      {...dialog}
      title={t(template ? 'editTitle' : 'addTemplate')}
      submitLabel={t(template ? 'save' : 'add')}
      bodyOf="createScoreTemplate"
      values={{
        name: template?.name ?? '',
        kind: before ?? kind,
        points: Math.abs(template?.scoreChange ?? 1) as number | string,
        classId,
        categoryId: template?.categoryId ?? null,
        description: template?.description ?? '',
      }}
      check={({ points, classId: place }) => ({
        points: !isScore(points) && t('pointsRange', { max }),
        classId: !template && place === null && !mayWhole && t('required'),
      })}
      save={({ name, kind: sign, points, classId: place, categoryId, description }) => {
        const body = {
          schoolDb,
          name,
          scoreChange: sign === 'minus' ? -Number(points) : Number(points),
          description: description.trim(),
          // Sent only if chosen anew, because the server refuses a retired category.
          ...(categoryId !== (template?.categoryId ?? null) && { categoryId }),
        };
        return template
          ? defineWrite('updateScoreTemplate', { params: { id: template.id }, body }, () => t('saved'))
          : defineWrite(
              'createScoreTemplate',
              { body: { ...body, ...(place !== null && { classId: place }) } },
              (one) => t('added', { name: one.name }),
            );
      }}
      sentences={{ 404: t('gone') }}
    >
      {({ field, values }) => (
        <>
          <TextInput
            {...field('name')}
            label={t('name')}
            placeholder={t('namePlaceholder')}
            autoComplete="off"
            withAsterisk
          />
          <Group align="flex-start" gap="sm">
            <Input.Wrapper label={t('kind')} labelElement="div">
              <SegmentedControl
                {...field('kind')}
                fullWidth
                aria-label={t('kind')}
                data={[
                  { value: 'plus', label: t('plus') },
                  { value: 'minus', label: t('minus') },
                ]}
                color={values.kind}
              />
            </Input.Wrapper>
            <NumberInput
              {...field('points')}
              label={t('points')}
              min={1}
              max={max}
              clampBehavior="none"
              allowDecimal={false}
              allowNegative={false}
              flex={1}
            />
          </Group>
          {!template && me.classId === null && (
            <ManagedClassPicker
              {...field('classId')}
              schoolDb={schoolDb}
              withLabel
              label={t('where')}
              withAll={mayWhole}
              allLabel={t('whole')}
            />
          )}
          <CategorySelect {...field('categoryId')} label={t('category')} />
          <Textarea
            {...field('description')}
            label={t('details')}
            description={t('detailsHint')}
            autosize
            minRows={2}
            maxRows={5}
          />
          {template && <Hint>{t('editHint')}</Hint>}
        </>
      )}
    </FormDialog>
  );
}

const isScore = (points: number | string) =>
  points !== '' && Number.isInteger(Number(points)) && Number(points) >= 1 && Number(points) <= max;
