import type { Template } from '@classledger/contract';
import { ActionIcon } from '@mantine/core';
import { IconPencil, IconPlus } from '@tabler/icons-react';
import { DeleteEntry, MenuEntry, RowMenu } from '../../../components/list/RowMenu.tsx';
import { ScoreText } from '../../../components/ScoreText.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import classes from './Templates.module.css';
import { texts } from './texts.ts';

interface TemplateKindListProps {
  readonly kind: 'plus' | 'minus';
  readonly group: string;
  readonly templates: readonly Template[];
  readonly mayChange: boolean;
  readonly onAdd: () => void;
  readonly onEdit: (template: Template) => void;
  readonly onDelete: (template: Template) => void;
}

export function TemplateKindList(props: TemplateKindListProps) {
  const { kind, group, templates, mayChange, onAdd, onEdit, onDelete } = props;
  const t = useTexts(texts);
  return (
    <section className={classes.kind} data-kind={kind} aria-label={`${group} ${t(kind)}`}>
      <div className={classes.kindTitle}>
        {t(kind)}
        {mayChange && (
          <ActionIcon
            variant="subtle"
            color={kind}
            size="lg"
            aria-label={t('addTo', { group, kind: t(kind) })}
            onClick={onAdd}
          >
            <IconPlus aria-hidden size={18} />
          </ActionIcon>
        )}
      </div>
      {templates.length === 0 ? (
        <div className={classes.emptyList}>{t(kind === 'plus' ? 'nonePlus' : 'noneMinus')}</div>
      ) : (
        <ul className={classes.list}>
          {templates.map((template) => (
            <li key={template.id} className={classes.row}>
              <span className={classes.points}>
                <ScoreText value={template.scoreChange} pill />
              </span>
              <div className={classes.words}>
                <div className={classes.name}>{template.name}</div>
                {/* Often both are the same. */}
                {template.description !== '' && template.description !== template.name && (
                  <div className={classes.details}>{template.description}</div>
                )}
              </div>
              {mayChange && (
                <RowMenu name={template.name}>
                  <MenuEntry icon={IconPencil} onChoose={() => onEdit(template)}>
                    {t('edit')}
                  </MenuEntry>
                  <DeleteEntry onChoose={() => onDelete(template)}>{t('delete')}</DeleteEntry>
                </RowMenu>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
