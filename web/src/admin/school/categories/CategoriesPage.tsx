import type { Category } from '@classledger/contract';
import { Badge, Button, Group, Stack } from '@mantine/core';
import { IconArchive, IconArchiveOff, IconCategory } from '@tabler/icons-react';
import { CategoryMark } from '../../../components/CategoryMark.tsx';
import type { Column } from '../../../components/list/data-table-types.ts';
import { useFormat } from '../../../i18n/format.ts';
import { useLanguage, useTexts } from '../../../i18n/texts.ts';
import { DialogButton } from '../../page/dialogs.tsx';
import { ListPage } from '../../page/ListPage.tsx';
import type { RowAction } from '../../page/RowActions.tsx';
import { defineWrite, useRunWriteWithNotice } from '../../page/write.ts';
import { useSchool } from '../../school.tsx';
import { CategoryForm } from './CategoryForm.tsx';
import { texts } from './texts.ts';

const presets = ['fiveVirtues', 'pbis'] as const;

export default function CategoriesPage() {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const columns = useColumns();
  const actions = useActions();
  return (
    <ListPage
      path="/templates/categories"
      list="listScoreCategories"
      input={(_, paging) => ({ query: { schoolDb, ...paging } })}
      back={{ to: '/templates', label: t('toTemplates') }}
      title={t('title')}
      description={t('description')}
      columns={columns}
      nameOf={({ name }) => name}
      actions={actions}
      create={{ label: t('addCategory'), open: (dialog) => <CategoryForm {...dialog} /> }}
      empty={{ icon: IconCategory, title: t('emptyTitle'), hint: t('emptyHint'), action: <Presets /> }}
    />
  );
}

function Presets() {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const language = useLanguage() === 'en' ? 'en' : 'zh';
  const { run, isPending } = useRunWriteWithNotice();
  const add = (preset: (typeof presets)[number]) =>
    defineWrite('createPresetCategories', { body: { schoolDb, preset, language } }, ({ categories }) =>
      t('presetAdded', { count: categories.length }),
    );
  return (
    <Stack gap="sm" mt="sm">
      {presets.map((preset) => (
        <Button key={preset} h="auto" mih={44} loading={isPending} onClick={() => run(add(preset))}>
          {t(`preset_${preset}`)}
        </Button>
      ))}
      <DialogButton variant="default" dialog={(dialog) => <CategoryForm {...dialog} />}>
        {t('addCategory')}
      </DialogButton>
    </Stack>
  );
}

function useActions(): (category: Category) => readonly RowAction[] {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  return (category) => {
    const { id, name } = category;
    const setRetired = (retired: boolean) =>
      defineWrite('updateScoreCategory', { params: { id }, body: { schoolDb, retired } }, () =>
        t(retired ? 'retiredDone' : 'broughtBack', { name }),
      );
    return [
      { kind: 'edit', open: (dialog) => <CategoryForm {...dialog} category={category} /> },
      category.retired
        ? { label: t('bringBack'), icon: IconArchiveOff, run: setRetired(false) }
        : {
            label: t('retire'),
            icon: IconArchive,
            ask: { title: t('retireTitle', { name }), text: t('retireText'), run: setRetired(true) },
          },
    ];
  };
}

function useColumns(): Column<Category>[] {
  const t = useTexts(texts);
  const format = useFormat();
  return [
    {
      header: t('category'),
      phone: 'title',
      cell: (category) => (
        <Group component="span" display="inline-flex" gap="4px 10px">
          <CategoryMark of={category} />
          {category.retired && (
            <Badge variant="light" color="gray">
              {t('retired')}
            </Badge>
          )}
        </Group>
      ),
    },
    { header: t('code'), cell: ({ code }) => code },
    { header: t('position'), align: 'end', cell: ({ position }) => format.number(position) },
  ];
}
