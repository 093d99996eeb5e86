import type { Template } from '@classledger/contract';
import { ActionIcon, Box, Button, Group, Paper, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconCategory, IconLock, IconPlus } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useOperation } from '../../../api/queries.ts';
import { Hint } from '../../../components/Hint.tsx';
import { LoadingOrError } from '../../../components/LoadingOrError.tsx';
import { ScoreText } from '../../../components/ScoreText.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { CategoryOf } from '../../categories.tsx';
import { ManagedClassPicker } from '../../ManagedClassPicker.tsx';
import { useManages, useMe } from '../../me.ts';
import { useOpenDialog } from '../../page/dialogs.tsx';
import { type CreateAction, Heading, Page } from '../../page/Page.tsx';
import { type RowAction, RowActions } from '../../page/RowActions.tsx';
import { usePageSearch } from '../../page/use-page-search.ts';
import { defineWrite } from '../../page/write.ts';
import { useSchool } from '../../school.tsx';
import { StarterTemplates } from './StarterTemplates.tsx';
import { TemplateForm } from './TemplateForm.tsx';
import { groupTemplates, mayChangeSchoolWide, type TemplateGroup } from './templates.ts';
import { texts } from './texts.ts';

export default function TemplatesPage() {
  const t = useTexts(texts);
  const me = useMe();
  const manages = useManages();
  const { schoolDb } = useSchool();
  const { search, change: show } = usePageSearch('/templates');
  const only = me.classId ?? search.class ?? null;
  const templates = useOperation('listScoreTemplates', { query: { schoolDb } });
  const known = useOperation('listSchoolClasses', { query: { schoolDb } });
  const [starting, setStarting] = useState(false);
  const isEmpty = starting || templates.data?.length === 0;
  const create: CreateAction = {
    label: t('addTemplate'),
    open: (dialog) => <TemplateForm {...dialog} classId={only} />,
  };

  const content = () => {
    if (!templates.data || !known.data) return <LoadingOrError of={[templates, known]} />;
    const managed = known.data.filter(manages);
    if (isEmpty) return <StarterTemplates create={create} onBusy={setStarting} />;
    return (
      <>
        {me.classId === null && managed.length > 1 && (
          <Box maw={{ sm: 260 }} mb={20}>
            <ManagedClassPicker
              schoolDb={schoolDb}
              value={only}
              onChange={(id) => show({ class: id ?? undefined })}
              withAll
            />
          </Box>
        )}
        <Stack gap={28}>
          {groupTemplates(templates.data, managed, me.role, only).map((group) => (
            <GroupSection key={group.classId ?? 'school'} group={group} />
          ))}
        </Stack>
      </>
    );
  };
  return (
    <Page
      title={t('title')}
      description={t('description')}
      headActions={
        mayChangeSchoolWide(me.role) && (
          <Button
            component={Link}
            to="/templates/categories"
            variant="default"
            leftSection={<IconCategory aria-hidden size={16} />}
          >
            {t('categories')}
          </Button>
        )
      }
      create={isEmpty ? undefined : create}
    >
      {content()}
    </Page>
  );
}

function GroupSection({ group }: { readonly group: TemplateGroup }) {
  const t = useTexts(texts);
  const { classId, mayChange } = group;
  const title = group.title ?? t('schoolWide');
  const hint = mayChange ? t(classId === null ? 'schoolWideHint' : 'classHint') : t('readOnly');
  return (
    <section aria-label={title}>
      <Group align="baseline" gap="2px 12px" mb={10}>
        <Heading>{title}</Heading>
        <Group component="span" gap={5} wrap="nowrap" fz="sm" c="dimmed">
          {!mayChange && <IconLock aria-hidden size={15} />}
          {hint}
        </Group>
      </Group>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {(['plus', 'minus'] as const).map((kind) => (
          <KindList key={kind} kind={kind} title={title} group={group} />
        ))}
      </SimpleGrid>
    </section>
  );
}

interface KindListProps {
  readonly kind: 'plus' | 'minus';
  readonly title: string;
  readonly group: TemplateGroup;
}

function KindList({ kind, title, group }: KindListProps) {
  const t = useTexts(texts);
  const open = useOpenDialog();
  const actions = useActions();
  const { classId, mayChange } = group;
  const templates = group[kind];
  return (
    <Paper component="section" bd={line} bg="var(--app-surface)" aria-label={`${title} ${t(kind)}`}>
      <Group
        justify="space-between"
        mih={44}
        py={4}
        pl="md"
        pr="xs"
        fz="sm"
        fw={600}
        c={`var(--app-${kind})`}
      >
        {t(kind)}
        {mayChange && (
          <ActionIcon
            variant="subtle"
            color={kind}
            size="lg"
            aria-label={t('addTo', { group: title, kind: t(kind) })}
            onClick={() => open((dialog) => <TemplateForm {...dialog} classId={classId} kind={kind} />)}
          >
            <IconPlus aria-hidden size={18} />
          </ActionIcon>
        )}
      </Group>
      {templates.length === 0 ? (
        <Text c="dimmed" px="md" py={15} style={{ borderTop: line }}>
          {t(kind === 'plus' ? 'nonePlus' : 'noneMinus')}
        </Text>
      ) : (
        <Box component="ul" m={0} p={0}>
          {templates.map((template) => {
            const { id, name, description, scoreChange, categoryId } = template;
            return (
              <Group
                key={id}
                component="li"
                wrap="nowrap"
                gap={12}
                mih={52}
                py={8}
                pl="md"
                pr="xs"
                style={{ borderTop: line }}
              >
                <Box flex="none" miw={52}>
                  <ScoreText value={scoreChange} pill />
                </Box>
                <Box flex={1} miw={0} style={{ overflowWrap: 'anywhere' }}>
                  <Text fw={550}>{name}</Text>
                  {/* Hidden if it equals the name, which is often so. */}
                  {description !== '' && description !== name && <Hint>{description}</Hint>}
                  <Hint>
                    <CategoryOf categoryId={categoryId} />
                  </Hint>
                </Box>
                {mayChange && <RowActions name={name} actions={actions(template)} />}
              </Group>
            );
          })}
        </Box>
      )}
    </Paper>
  );
}

const line = '1px solid var(--app-line)';

function useActions(): (template: Template) => readonly RowAction[] {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  return (template) => {
    const { id, name } = template;
    return [
      {
        kind: 'edit',
        open: (dialog) => <TemplateForm {...dialog} template={template} />,
      },
      {
        remove: {
          title: t('deleteTitle', { name }),
          text: t('deleteText'),
          run: defineWrite('deleteScoreTemplate', { params: { id }, query: { schoolDb } }, () =>
            t('deleted', { name }),
          ),
          sentences: { 404: t('gone') },
        },
      },
    ];
  };
}
