import { limits } from 'virtual:contract';
import type { Template } from '@classledger/contract';
import {
  ActionIcon,
  Anchor,
  Button,
  Collapse,
  Group,
  NumberInput,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import {
  IconChevronDown,
  IconExternalLink,
  IconMinus,
  IconPlus,
  IconUserCheck,
  IconUserOff,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { type FormEvent, memo, type ReactNode, useRef, useState } from 'react';
import { useStudentNames } from '../../../components/student-names.ts';
import { useLanguage, useTexts } from '../../../i18n/texts.ts';
import { useTool } from '../../use-tool.ts';
import {
  useAbsent,
  useChoice,
  useScoring,
  useStudentNameOf,
  useStudentView,
  useTeamName,
} from './board-context.ts';
import { type FoldedNote, useChoiceFoldedNote } from './GiftNote.tsx';
import classes from './Give.module.css';
import { RecentTaps, WaitingNote } from './RecentTaps.tsx';
import type { Gift } from './scoring-board.ts';
import { texts } from './texts.ts';
import type { Shortcuts } from './use-shortcuts.ts';

export interface TemplatesState {
  /** In the order of their number keys, see sortTemplates. */
  readonly list: readonly Template[];
  /** A skeleton or an error; null if there are templates. */
  readonly instead: ReactNode;
}

interface GivePanelProps {
  readonly classId: number;
  readonly ofTeams: boolean;
  readonly templates: TemplatesState;
  readonly onGive: (gift: Gift) => void;
}

export function GivePanel({ classId, ofTeams, templates, onGive }: GivePanelProps) {
  const t = useTexts(texts);
  const note = useChoiceFoldedNote();
  const { ids, teamIds = [] } = useChoice();
  const isIdle = ids.length + teamIds.length === 0;
  return (
    <div className={classes.panels}>
      <section className={classes.panel} aria-label={t('give')} data-idle={isIdle || undefined}>
        <div className={classes.whoRow}>
          <ChosenStudents ofTeams={ofTeams} />
          <AbsentButton />
          <StudentLink />
        </div>
        <TemplateButtons templates={templates} onGive={onGive} withKeys />
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset draws itself */}
        <div role="group" aria-label={t('custom')}>
          <p className={classes.groupTitle}>{t('custom')}</p>
          <CustomPoints onGive={onGive} isIdle={isIdle} />
        </div>
        {note && (
          <div className={classes.note}>
            {note.button}
            {note.field}
          </div>
        )}
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

export const nobodyId = 0;

export function ChosenStudents({ ofTeams = false }: { readonly ofTeams?: boolean }) {
  const t = useTexts(texts);
  const language = useLanguage();
  const nameOf = useStudentNameOf();
  const { numberOf } = useStudentNames();
  const { ids, teamIds = [], spent } = useChoice();
  const teamName = useTeamName();
  const [first = nobodyId] = ids;
  const only = useStudentView(ids.length === 1 ? first : nobodyId);
  const few = ids.length > 0 && ids.length <= 4;
  const list = new Intl.ListFormat(language);
  const title = () => {
    if (teamIds.length > 0) return list.format(teamIds.map((id) => teamName(id) ?? ''));
    if (ids.length === 0) return t(ofTeams ? 'noTeamChosen' : 'nobodyChosen');
    if (only) return only.student.actualName;
    return few ? list.format(ids.map((id) => nameOf(id) ?? '')) : t('chosenCount', { count: ids.length });
  };
  const state = () => {
    if (teamIds.length > 0) return spent ? t('spent') : t('toTeamItself', { count: teamIds.length });
    if (ids.length === 0) return t(ofTeams ? 'noTeamHint' : 'nobodyHint');
    if (spent) return t('spent');
    if (only) return t('points', { count: only.total });
    return few ? t('chosenCount', { count: ids.length }) : '';
  };
  const number = only && numberOf(only.student);
  return (
    <div className={classes.who}>
      <Title order={2} className={classes.whoName ?? ''} title={title()}>
        {title()}
      </Title>
      {/* The number tells students of one name apart, so it comes first. One line keeps the buttons below in place. */}
      <Text size="sm" c="dimmed" lineClamp={1}>
        {number && `${number} · `}
        {state()}
      </Text>
    </div>
  );
}

function StudentLink() {
  const t = useTexts(texts);
  const { ids } = useChoice();
  const [id] = ids;
  if (id === undefined || ids.length > 1) return null;
  return (
    <ActionIcon
      renderRoot={(props) => <Link to="/students/$studentId" params={{ studentId: String(id) }} {...props} />}
      variant="default"
      size={36}
      aria-label={t('studentPage')}
      title={t('studentPage')}
    >
      <IconExternalLink aria-hidden size={16} />
    </ActionIcon>
  );
}

function AbsentButton() {
  const t = useTexts(texts);
  const { board } = useScoring();
  const { ids, spent } = useChoice();
  const absent = useAbsent();
  const offered = useTool('attendance');
  if (!offered || ids.length === 0 || spent) return null;
  const areAbsent = ids.every((id) => absent.has(id));
  const Shown = areAbsent ? IconUserCheck : IconUserOff;
  return (
    <ActionIcon
      variant="default"
      size={36}
      aria-label={t(areAbsent ? 'markPresent' : 'markAbsent')}
      title={t(areAbsent ? 'markPresent' : 'markAbsent')}
      onClick={() => board.setAbsent(ids, !areAbsent)}
    >
      <Shown aria-hidden size={18} />
    </ActionIcon>
  );
}

interface TemplateButtonsProps {
  readonly templates: TemplatesState;
  readonly onGive: (gift: Gift) => void;
  readonly withKeys?: boolean;
}

export const TemplateButtons = memo(function TemplateButtons({
  templates,
  onGive,
  withKeys = false,
}: TemplateButtonsProps) {
  const t = useTexts(texts);
  const { format } = useScoring();
  const { list, instead } = templates;
  if (instead) return instead;
  if (list.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t('noTemplates')}{' '}
        <Anchor component={Link} to="/templates" size="sm" underline="always">
          {t('toTemplates')}
        </Anchor>
      </Text>
    );
  }
  const halves = [
    { title: t('plus'), sign: 1 },
    { title: t('minus'), sign: -1 },
  ].map((half) => ({
    ...half,
    templates: list.filter(({ scoreChange }) => Math.sign(scoreChange) === half.sign),
  }));
  return (
    <Stack gap="sm">
      {halves
        .filter((half) => half.templates.length > 0)
        .map((half) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset draws itself
          <div key={half.sign} role="group" aria-label={half.title}>
            <p className={classes.groupTitle}>{half.title}</p>
            <div className={classes.templates}>
              {half.templates.map((template) => {
                const digit = digitOf(list.indexOf(template));
                return (
                  <button
                    key={template.id}
                    type="button"
                    className={classes.template}
                    data-sign={half.sign}
                    data-gives=""
                    aria-keyshortcuts={withKeys && digit ? digit : undefined}
                    onClick={() => onGive(giftFromTemplate(template))}
                  >
                    <span className={classes.templateName}>{template.name}</span>{' '}
                    <span className={classes.templatePoints}>{format.signed(template.scoreChange)}</span>
                    {withKeys && digit && (
                      <span className={classes.digit} aria-hidden>
                        {digit}
                      </span>
                    )}
                  </button>
                );
              })}
            </div>
          </div>
        ))}
    </Stack>
  );
});

/** Returns the points of a template, with its name as the reason if it has no description. */
export function giftFromTemplate({ scoreChange, description, name }: Template): Gift {
  return { change: scoreChange, description: description || name, template: name };
}

export function templateShortcuts({ list }: TemplatesState, onGive: (gift: Gift) => void): Shortcuts {
  return Object.fromEntries(
    list.slice(0, 10).map((template, index) => [digitOf(index), () => onGive(giftFromTemplate(template))]),
  );
}

function digitOf(index: number): string | null {
  return index < 10 ? String((index + 1) % 10) : null;
}

interface FoldedCustomPointsProps {
  readonly onGive: (gift: Gift) => void;
  readonly note?: FoldedNote | null;
}

export function FoldedCustomPoints({ onGive, note = null }: FoldedCustomPointsProps) {
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
      {note?.button}
      {note?.field}
      {/* The unfolded part may lie below the edge. */}
      <Collapse
        expanded={open}
        onTransitionEnd={() => open && folded.current?.scrollIntoView({ block: 'nearest' })}
      >
        <CustomPoints onGive={onGive} />
      </Collapse>
    </div>
  );
}

interface CustomPointsProps {
  readonly onGive: (gift: Gift) => void;
  readonly isIdle?: boolean;
}

function CustomPoints({ onGive, isIdle = false }: CustomPointsProps) {
  const t = useTexts(texts);
  const [points, setPoints] = useState<number | string>(1);
  const [reason, setReason] = useState('');
  const change = typeof points === 'number' ? points : 0;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (change !== 0) onGive({ change, description: reason.trim() });
  };
  const step = (by: number) => {
    const next = change + by === 0 ? by : change + by;
    setPoints(Math.max(-limits.scoreChangeMax, Math.min(limits.scoreChangeMax, next)));
  };
  return (
    <form onSubmit={submit}>
      <Stack gap={8}>
        <TextInput
          aria-label={t('customReason')}
          placeholder={t('customReason')}
          value={reason}
          maxLength={limits.descriptionLengthMax}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        <Group gap={6} wrap="nowrap">
          <ActionIcon variant="default" size={42} aria-label={t('less')} onClick={() => step(-1)}>
            <IconMinus aria-hidden size={18} />
          </ActionIcon>
          <NumberInput
            aria-label={t('customPoints')}
            value={points}
            onChange={setPoints}
            min={-limits.scoreChangeMax}
            max={limits.scoreChangeMax}
            allowDecimal={false}
            hideControls
            size="md"
            styles={{ input: { textAlign: 'center', fontWeight: 650 } }}
            flex={1}
            miw={48}
          />
          <ActionIcon variant="default" size={42} aria-label={t('moreByOne')} onClick={() => step(1)}>
            <IconPlus aria-hidden size={18} />
          </ActionIcon>
          {/* Wide enough for any points, so the steppers beside it stay in place. */}
          <Button
            type="submit"
            h={42}
            miw={104}
            px="sm"
            disabled={change === 0}
            variant={isIdle ? 'default' : 'filled'}
            color={change < 0 ? 'minus.7' : 'plus.7'}
          >
            {change === 0 && t('customZero')}
            {change > 0 && t('customGive', { points: change })}
            {change < 0 && t('customTake', { points: -change })}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
