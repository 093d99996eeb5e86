import type { Template } from '@classledger/contract';
import { Button, Text, Title } from '@mantine/core';
import { IconLock, IconPlus } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useOperation } from '../../../api/queries.ts';
import { ConfirmDialog } from '../../../components/ConfirmDialog.tsx';
import { ErrorState } from '../../../components/ErrorState.tsx';
import { LoadingRows } from '../../../components/LoadingRows.tsx';
import { PageHeader } from '../../../components/PageHeader.tsx';
import { ClassPicker } from '../../../components/StructurePickers.tsx';
import { useMutationWithNotice } from '../../../components/use-mutation-with-notice.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { useMe } from '../../me.ts';
import { useSchool } from '../../school.tsx';
import { StarterTemplates } from './StarterTemplates.tsx';
import { TemplateDialog, type TemplateTask } from './TemplateDialog.tsx';
import { TemplateKindList } from './TemplateKindList.tsx';
import classes from './Templates.module.css';
import { groupTemplates, type TemplateGroup } from './template-groups.ts';
import { texts } from './texts.ts';

export function TemplatesPage() {
  const t = useTexts(texts);
  const me = useMe();
  const { schoolDb } = useSchool();
  const search = useSearch({ from: '/shell/templates' });
  const navigate = useNavigate({ from: '/templates' });
  const only = me.classId ?? search.class ?? null;
  const templates = useOperation('listScoreTemplates', { query: { schoolDb } });
  const known = useOperation('listSchoolClasses', { query: { schoolDb } });
  const [task, setTask] = useState<TemplateTask | null>(null);
  const [starting, setStarting] = useState(false);
  const [deleting, setDeleting] = useState<Template | null>(null);
  const add = () => setTask({ classId: only, kind: 'plus' });
  const isEmpty = starting || templates.data?.length === 0;
  const addButton = (
    <Button leftSection={<IconPlus aria-hidden size={16} />} onClick={add}>
      {t('addTemplate')}
    </Button>
  );

  const content = () => {
    if (templates.isPending || known.isPending) return <LoadingRows />;
    if (!templates.data || !known.data) {
      const failed = templates.data ? known : templates;
      return <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />;
    }
    if (isEmpty) return <StarterTemplates onAdd={add} onBusy={setStarting} />;
    return (
      <>
        {me.classId === null && known.data.length > 1 && (
          <div className={classes.filter}>
            <ClassPicker
              schoolDb={schoolDb}
              value={only}
              onChange={(id) => void navigate({ search: id === null ? {} : { class: id }, replace: true })}
              withAll
            />
          </div>
        )}
        <div className={classes.groups}>
          {groupTemplates(templates.data, known.data, me.role, only).map((group) => (
            <Group key={group.classId ?? 'school'} group={group} onTask={setTask} onDelete={setDeleting} />
          ))}
        </div>
      </>
    );
  };
  return (
    <>
      <PageHeader title={t('title')} description={t('description')} actions={!isEmpty && addButton} />
      {content()}
      <TemplateDialog task={task} onClose={() => setTask(null)} />
      <DeleteTemplateDialog template={deleting} onClose={() => setDeleting(null)} />
    </>
  );
}

interface GroupProps {
  readonly group: TemplateGroup;
  readonly onTask: (task: TemplateTask) => void;
  readonly onDelete: (template: Template) => void;
}

function Group({ group, onTask, onDelete }: GroupProps) {
  const t = useTexts(texts);
  const { classId, mayChange } = group;
  const title = group.title ?? t('schoolWide');
  return (
    <section aria-label={title}>
      <div className={classes.heading}>
        <Title order={2} size="h3">
          {title}
        </Title>
        <span className={classes.hint}>
          {!mayChange && <IconLock aria-hidden size={15} />}
          {mayChange ? t(classId === null ? 'schoolWideHint' : 'classHint') : t('readOnly')}
        </span>
      </div>
      <div className={classes.kinds}>
        {(['plus', 'minus'] as const).map((kind) => (
          <TemplateKindList
            key={kind}
            kind={kind}
            group={title}
            templates={group[kind]}
            mayChange={mayChange}
            onAdd={() => onTask({ classId, kind })}
            onEdit={(template) => onTask({ template })}
            onDelete={onDelete}
          />
        ))}
      </div>
    </section>
  );
}

interface DeleteTemplateDialogProps {
  readonly template: Template | null;
  readonly onClose: () => void;
}

function DeleteTemplateDialog({ template, onClose }: DeleteTemplateDialogProps) {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const [shown, setShown] = useState(template);
  if (template && template !== shown) setShown(template);
  const remove = useMutationWithNotice('deleteScoreTemplate', ({ name }) => t('deleted', { name }), onClose);
  return (
    <ConfirmDialog
      opened={template !== null}
      onClose={onClose}
      title={t('deleteTitle', { name: shown?.name ?? '' })}
      confirmLabel={t('delete')}
      danger
      onConfirm={() => {
        if (template) remove.mutate({ params: { id: template.id }, query: { schoolDb } });
      }}
      mutation={remove}
      sentences={{ 404: t('gone') }}
    >
      <Text size="sm">{t('deleteText')}</Text>
    </ConfirmDialog>
  );
}
