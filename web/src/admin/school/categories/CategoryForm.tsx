import type { Category } from '@classledger/contract';
import { NumberInput, Select, TextInput } from '@mantine/core';
import { CategoryMark, ColourDot } from '../../../components/CategoryMark.tsx';
import type { DialogProps } from '../../../components/ConfirmDialog.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { FormDialog } from '../../page/FormDialog.tsx';
import { defineWrite } from '../../page/write.ts';
import { useSchool } from '../../school.tsx';
import { texts } from './texts.ts';

const colours = [
  'colour1',
  'colour2',
  'colour3',
  'colour4',
  'colour5',
  'colour6',
  'colour7',
  'colour8',
] as const;
const positionMax = 1_000;

interface CategoryFormProps extends DialogProps {
  readonly category?: Category;
}

export function CategoryForm({ category, ...dialog }: CategoryFormProps) {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  return (
    <FormDialog
      {...dialog}
      title={t(category ? 'editTitle' : 'addCategory')}
      submitLabel={t(category ? 'save' : 'add')}
      bodyOf="createScoreCategory"
      values={{
        name: category?.name ?? '',
        code: category?.code ?? '',
        colour: category?.colour ?? 1,
        position: (category?.position ?? '') as number | string,
      }}
      check={({ code, position }) => ({
        ...(code.trim() !== '' && { code: !/^[\w.-]+$/.test(code.trim()) && t('codeWrong') }),
        position: !isPosition(position) && t('positionRange'),
      })}
      save={({ position, code, ...values }) => {
        const order = position === '' ? {} : { position: Number(position) };
        const body = { schoolDb, ...values, code: code.trim(), ...order };
        return category
          ? defineWrite('updateScoreCategory', { params: { id: category.id }, body }, () => t('saved'))
          : defineWrite('createScoreCategory', { body }, ({ name }) => t('added', { name }));
      }}
      sentences={{ 409: t('codeTaken') }}
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
          <TextInput
            {...field('code')}
            label={t('code')}
            description={t('codeHint')}
            autoComplete="off"
            withAsterisk
          />
          <Select<number>
            {...field('colour')}
            onChange={(colour) => field('colour').onChange(colour ?? values.colour)}
            label={t('colour')}
            leftSection={<ColourDot colour={values.colour} />}
            data={colours.map((key, i) => ({ value: i + 1, label: t(key) }))}
            renderOption={({ option: { value, label } }) => (
              <CategoryMark of={{ name: label, colour: value }} />
            )}
            allowDeselect={false}
          />
          <NumberInput
            {...field('position')}
            label={t('position')}
            description={t('positionHint')}
            min={0}
            max={positionMax}
            clampBehavior="none"
            allowDecimal={false}
            allowNegative={false}
          />
        </>
      )}
    </FormDialog>
  );
}

const isPosition = (position: number | string) =>
  position === '' || (Number.isInteger(Number(position)) && Number(position) <= positionMax);
