import { limits } from 'virtual:contract';
import type { ClassTeams, Student } from '@classledger/contract';
import {
  Alert,
  Button,
  Group,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
  Tooltip,
  UnstyledButton,
} from '@mantine/core';
import { useSet } from '@mantine/hooks';
import { IconPalette, IconTrash, IconUserMinus } from '@tabler/icons-react';
import { type DragEvent, type ReactNode, useState } from 'react';
import { Hint } from '../../../components/Hint.tsx';
import { StudentName } from '../../../components/StudentName.tsx';
import { UnsavedChangesGuard } from '../../../components/UnsavedChangesGuard.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { Heading } from '../../page/Page.tsx';
import { roundToTenth, teamColour } from '../class-teams.ts';
import { IconButton, StickyBar } from '../parts.tsx';
import classes from './Teams.module.css';
import {
  addTeam,
  averageTotalsOf,
  type DraftTeam,
  moveStudents,
  removeTeam,
  type TeamsDraft,
  teamNameErrorOf,
  updateTeam,
} from './teams-draft.ts';
import { texts } from './texts.ts';

interface MembersEditorProps {
  readonly draft: TeamsDraft;
  readonly isChanged: boolean;
  readonly saved: ClassTeams;
  readonly students: readonly Student[];
  readonly onChange: (draft: TeamsDraft) => void;
  readonly onDiscard: () => void;
  /** Locks the editor while saving, because the answer replaces the draft, and changes would be lost. */
  readonly saving: boolean;
  readonly onSave: () => void;
}

export function MembersEditor(props: MembersEditorProps) {
  const { draft, isChanged, saved, students, onChange, onDiscard, saving, onSave } = props;
  const t = useTexts(texts);
  const format = useFormat();
  const chosen = useSet<number>();
  /** The team under the dragged student; null outside of teams, undefined while nothing is dragged. */
  const [over, setOver] = useState<string | null>();
  const byId = new Map(students.map((student) => [student.id, student]));
  const inTeams = new Set(draft.teams.flatMap(({ userIds }) => userIds));
  const others = students.filter(({ id }) => !inTeams.has(id));
  const averages = averageTotalsOf(draft.teams, students);
  const put = (ids: readonly number[], to: string | null) => {
    if (ids.length === 0) return;
    onChange(moveStudents(draft, ids, to));
    chosen.clear();
  };
  const chips = (list: readonly Student[]) => (
    <Group component="ul" gap={6} mih={40} m={0} p={0}>
      {list.map((student) => (
        <Group component="li" key={student.id}>
          <UnstyledButton
            className={classes.chip ?? ''}
            aria-pressed={chosen.has(student.id)}
            draggable
            onDragStart={(event) => event.dataTransfer.setData(dragDataType, String(student.id))}
            onDragEnd={() => setOver(undefined)}
            onClick={() => chosen.delete(student.id) || chosen.add(student.id)}
          >
            <StudentName of={student} />
          </UnstyledButton>
        </Group>
      ))}
    </Group>
  );
  const dropOn = (to: string | null) => ({
    'data-over': over === to || undefined,
    onDragOver: (event: DragEvent) => {
      if (!event.dataTransfer.types.includes(dragDataType)) return;
      event.preventDefault();
      setOver(to);
    },
    onDragLeave: ({ currentTarget, relatedTarget }: DragEvent) => {
      if (!currentTarget.contains(relatedTarget as Node | null)) setOver(undefined);
    },
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      setOver(undefined);
      const id = Number(event.dataTransfer.getData(dragDataType));
      if (byId.has(id)) put(chosen.has(id) ? [...chosen] : [id], to);
    },
  });
  const fairness = () => {
    if (draft.teams.length < 2) return null;
    const known = averages.flatMap((average) => average ?? []);
    if (known.length < draft.teams.length) return t('fairPartly');
    const sizes = draft.teams.map(({ userIds }) => userIds.length);
    const apart = Math.max(...sizes) - Math.min(...sizes);
    const spread = format.number(roundToTenth(Math.max(...known) - Math.min(...known)));
    return apart === 0 ? t('fairOneSize', { spread }) : t('fair', { spread, sizes: apart });
  };
  const gone = saved.teams.filter(({ id }) => !draft.teams.some((team) => team.id === id));
  const isFaulty = draft.teams.some(({ key }) => teamNameErrorOf(draft, key) !== null);
  return (
    <section aria-label={t('members')}>
      <Group justify="space-between" mb={4}>
        <Heading>{t('members')}</Heading>
        {draft.teams.length < limits.teamsMax && (
          <Button
            variant="default"
            disabled={saving}
            onClick={() => onChange(addTeam(draft, (number) => t('teamName', { number })))}
          >
            {t('addTeam')}
          </Button>
        )}
      </Group>
      <Hint mb="sm">
        {t('membersHint')} {fairness()}
      </Hint>
      <SimpleGrid minColWidth="min(100%, 260px)" spacing={12} style={{ alignItems: 'start' }} inert={saving}>
        {draft.teams.map((team, i) => (
          <TeamBox
            key={team.key}
            team={team}
            draft={draft}
            average={averages[i] ?? null}
            canPut={chosen.size > 0}
            onPut={() => put([...chosen], team.key)}
            onChange={onChange}
            drop={dropOn(team.key)}
          >
            {chips(team.userIds.flatMap((id) => byId.get(id) ?? []))}
          </TeamBox>
        ))}
        <section
          className={classes.box}
          aria-label={t('inNoTeam', { count: others.length })}
          {...dropOn(null)}
        >
          <Group justify="space-between" mih={44} wrap="nowrap">
            <Text fw={600} c="dimmed">
              {t('inNoTeam', { count: others.length })}
            </Text>
            {[...chosen].some((id) => inTeams.has(id)) && (
              <Button
                variant="light"
                size="compact-md"
                h={40}
                leftSection={<IconUserMinus aria-hidden size={16} />}
                onClick={() => put([...chosen], null)}
              >
                {t('takeOut')}
              </Button>
            )}
          </Group>
          {chips(others)}
        </section>
      </SimpleGrid>
      {isChanged && (
        <StickyBar>
          <Stack gap={4} flex={1}>
            <Text fw={600}>{t('unsaved')}</Text>
            {draft.anew && saved.teams.length > 0 && <Text size="sm">{t('begins')}</Text>}
            {gone.length > 0 && (
              <Alert color="orange" py={6}>
                {t('goes', { names: gone.map(({ name }) => name).join(', ') })}
              </Alert>
            )}
          </Stack>
          <Button variant="default" disabled={saving} onClick={onDiscard}>
            {t('discard')}
          </Button>
          <Button loading={saving} disabled={isFaulty} onClick={onSave}>
            {t('save')}
          </Button>
        </StickyBar>
      )}
      <UnsavedChangesGuard
        active={isChanged}
        title={t('leaveTitle')}
        text={t('leaveText')}
        confirmLabel={t('leave')}
      />
    </section>
  );
}

const dragDataType = 'application/x-classledger-student';

interface TeamBoxProps {
  readonly team: DraftTeam;
  readonly draft: TeamsDraft;
  readonly average: number | null;
  readonly canPut: boolean;
  readonly onPut: () => void;
  readonly onChange: (draft: TeamsDraft) => void;
  readonly drop: object;
  readonly children: ReactNode;
}

function TeamBox({ team, draft, average, canPut, onPut, onChange, drop, children }: TeamBoxProps) {
  const t = useTexts(texts);
  const format = useFormat();
  const { key, name, colour, userIds } = team;
  const fault = teamNameErrorOf(draft, key);
  return (
    <section className={classes.box} style={teamColour(colour)} aria-label={name} {...drop}>
      <Group gap={4} wrap="nowrap" align="start">
        <TextInput
          aria-label={t('name')}
          value={name}
          maxLength={limits.nameLengthMax}
          onChange={(event) => onChange(updateTeam(draft, key, { name: event.currentTarget.value }))}
          error={fault && t(fault === 'empty' ? 'nameEmpty' : 'nameTwice')}
          flex={1}
        />
        <Tooltip label={t('changeColour')}>
          <IconButton
            variant="default"
            c="var(--team)"
            size={36}
            icon={IconPalette}
            label={`${t('changeColour')}: ${t('colour', { number: colour })}`}
            onClick={() => onChange(updateTeam(draft, key, { colour: (colour % limits.colours) + 1 }))}
          />
        </Tooltip>
        <IconButton
          variant="default"
          size={36}
          icon={IconTrash}
          label={t('remove', { name })}
          onClick={() => onChange(removeTeam(draft, key))}
        />
      </Group>
      <Group justify="space-between" mih={44} my={6} wrap="nowrap">
        <Hint>
          {t('averageOf', {
            count: userIds.length,
            average: average === null ? '–' : format.number(roundToTenth(average)),
          })}
        </Hint>
        {canPut && (
          <Button
            variant="light"
            size="compact-md"
            h={40}
            aria-label={t('putHereName', { name })}
            onClick={onPut}
          >
            {t('putHere')}
          </Button>
        )}
      </Group>
      {children}
    </section>
  );
}
