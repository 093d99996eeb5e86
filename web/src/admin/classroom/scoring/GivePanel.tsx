import type { Template } from '@classledger/contract';
import { Button, Collapse, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconChevronDown, IconUserCheck, IconUserOff } from '@tabler/icons-react';
import { type ReactNode, useRef } from 'react';
import { useStudentNames } from '../../../components/student-names.ts';
import { useLanguage, useTexts } from '../../../i18n/texts.ts';
import { useAbsent, useChoice, useNameOf, useScoring, useStudentView } from './board-context.ts';
import { CustomPoints } from './CustomPoints.tsx';
import classes from './Give.module.css';
import { RecentTaps, WaitingNote } from './RecentTaps.tsx';
import type { Gift } from './scoring-board.ts';
import { TemplateButtons } from './TemplateButtons.tsx';
import { texts } from './texts.ts';

/** The templates, and what to show while there are none. */
export interface TemplatesState {
  /** In key order. */
  readonly list: readonly Template[];
  /** A skeleton, or why they could not be loaded. */
  readonly instead: ReactNode;
}

interface GivePanelProps {
  readonly classId: number;
  readonly templates: TemplatesState;
  readonly onGive: (gift: Gift) => void;
}

/** Beside the students on wide screens: to whom, what, and what was given lately. */
export function GivePanel({ classId, templates, onGive }: GivePanelProps) {
  const t = useTexts(texts);
  return (
    <div className={classes.panels}>
      <section className={classes.panel} aria-label={t('give')}>
        <div className={classes.whoRow}>
          <Chosen />
          <AbsentButton />
        </div>
        {templates.instead ?? <TemplateButtons templates={templates.list} onGive={onGive} withKeys />}
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset draws itself */}
        <div role="group" aria-label={t('custom')}>
          <p className={classes.groupTitle}>{t('custom')}</p>
          <CustomPoints onGive={onGive} />
        </div>
      </section>
      <section className={classes.panel} data-recent aria-label={t('recent')}>
        <Title order={2} size="h3">
          {t('recent')}
        </Title>
        <WaitingNote />
        <RecentTaps classId={classId} />
      </section>
    </div>
  );
}

/** No student has this id. */
export const nobody = 0;

/** Who is chosen, by name as far as there is room. */
export function Chosen() {
  const t = useTexts(texts);
  const language = useLanguage();
  const nameOf = useNameOf();
  const { numberOf } = useStudentNames();
  const { ids, spent } = useChoice();
  const [first = nobody] = ids;
  const only = useStudentView(ids.length === 1 ? first : nobody);
  const few = ids.length > 0 && ids.length <= 4;
  const list = new Intl.ListFormat(language);
  const title = () => {
    if (ids.length === 0) return t('nobodyChosen');
    if (only) return only.student.actualName;
    return few ? list.format(ids.map((id) => nameOf(id) ?? '')) : t('chosenCount', { count: ids.length });
  };
  const state = () => {
    if (ids.length === 0) return t('nobodyHint');
    if (spent) return t('spent');
    if (only) return t('points', { count: only.total });
    return few ? t('chosenCount', { count: ids.length }) : '';
  };
  const number = only && numberOf(only.student);
  return (
    <div className={classes.who}>
      <Title order={2} className={classes.whoName ?? ''}>
        {title()}
      </Title>
      {/* Of two of one name, the number says more than anything else: it stays where room is short. */}
      <Text size="sm" c="dimmed" {...(number && { lineClamp: 1 })}>
        {number && `${number} · `}
        {state()}
      </Text>
    </div>
  );
}

/** Notes that those who are chosen are absent today, or here after all. */
function AbsentButton() {
  const t = useTexts(texts);
  const { board } = useScoring();
  const { ids, spent } = useChoice();
  const absent = useAbsent();
  if (ids.length === 0 || spent) return null;
  const areAbsent = ids.every((id) => absent.has(id));
  const Shown = areAbsent ? IconUserCheck : IconUserOff;
  return (
    <Button
      variant="default"
      size="compact-sm"
      h={36}
      px="xs"
      leftSection={<Shown aria-hidden size={16} />}
      onClick={() => board.setAbsent(ids, !areAbsent)}
    >
      {t(areAbsent ? 'markPresent' : 'markAbsent')}
    </Button>
  );
}

/** "Other points", folded away where room is short. */
export function FoldedCustomPoints({ onGive }: { readonly onGive: (gift: Gift) => void }) {
  const t = useTexts(texts);
  const [open, { toggle }] = useDisclosure();
  const folded = useRef<HTMLDivElement>(null);
  return (
    <div ref={folded}>
      <Button
        variant="subtle"
        size="compact-sm"
        h={36}
        aria-expanded={open}
        onClick={toggle}
        rightSection={<IconChevronDown aria-hidden size={16} style={open ? { rotate: '180deg' } : {}} />}
      >
        {t('custom')}
      </Button>
      {/* What unfolds below the edge is brought into sight. */}
      <Collapse
        expanded={open}
        onTransitionEnd={() => open && folded.current?.scrollIntoView({ block: 'nearest' })}
      >
        <CustomPoints onGive={onGive} />
      </Collapse>
    </div>
  );
}
