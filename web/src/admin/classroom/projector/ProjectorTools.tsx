import { ActionIcon, Popover, SegmentedControl, Select, Stack, Switch, Text, Tooltip } from '@mantine/core';
import { useFullscreenDocument } from '@mantine/hooks';
import {
  IconAdjustments,
  IconArrowLeft,
  IconMaximize,
  IconMinimize,
  IconStopwatch,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { ColorSchemeSwitch } from '../../../components/ColorSchemeSwitch.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { useIsToolEnabled } from '../../use-is-tool-enabled.ts';
import { useTimer } from '../timer/use-timer.ts';
import type { NameDisplay } from './rank-students.ts';
import { texts } from './texts.ts';

export interface ProjectorSettings {
  readonly show: 'leaders' | 'everybody' | 'teams';
  readonly rows: number;
  readonly order: 'name' | 'points';
  readonly names: NameDisplay;
  readonly plusOnly: boolean;
}

interface ProjectorToolsProps {
  readonly settings: ProjectorSettings;
  readonly onChange: (change: Partial<ProjectorSettings>) => void;
}

const rowChoices = [5, 10, 15];

export function ProjectorTools({ settings, onChange }: ProjectorToolsProps) {
  const t = useTexts(texts);
  const { offered, timer, change } = useTimer();
  const hasTeams = useIsToolEnabled('teams');
  const { toggle, fullscreen } = useFullscreenDocument();
  const screenLabel = fullscreen ? t('leaveFullScreen') : t('fullScreen');
  const ScreenIcon = fullscreen ? IconMinimize : IconMaximize;
  return (
    <>
      <Popover position="bottom-end" width={320} shadow="md" radius="lg" trapFocus returnFocus>
        <Popover.Target>
          <ActionIcon variant="default" size={44} aria-label={t('settings')}>
            <IconAdjustments aria-hidden size={22} />
          </ActionIcon>
        </Popover.Target>
        <Popover.Dropdown p="md" aria-label={t('settings')}>
          <Stack gap="sm">
            <SegmentedControl
              aria-label={t('show')}
              fullWidth
              value={settings.show === 'teams' && !hasTeams ? 'leaders' : settings.show}
              onChange={(show) => onChange({ show: show as ProjectorSettings['show'] })}
              data={[
                { value: 'leaders', label: t('leaders') },
                { value: 'everybody', label: t('everybody') },
                ...(hasTeams ? [{ value: 'teams', label: t('teams') }] : []),
              ]}
            />
            {settings.show === 'everybody' && (
              <Select
                label={t('order')}
                value={settings.order}
                onChange={(order) => onChange({ order: order as ProjectorSettings['order'] })}
                data={[
                  { value: 'name', label: t(settings.names === 'numbers' ? 'byNumber' : 'byName') },
                  { value: 'points', label: t('byPoints') },
                ]}
                allowDeselect={false}
                comboboxProps={{ withinPortal: false }}
              />
            )}
            {settings.show === 'leaders' && (
              <Select
                label={t('howMany')}
                value={String(settings.rows)}
                onChange={(rows) => onChange({ rows: Number(rows) })}
                data={rowChoices.map((count) => ({ value: String(count), label: t('first', { count }) }))}
                allowDeselect={false}
                comboboxProps={{ withinPortal: false }}
              />
            )}
            {settings.show !== 'teams' && (
              <>
                <Select
                  label={t('names')}
                  value={settings.names}
                  onChange={(names) => onChange({ names: names as NameDisplay })}
                  data={[
                    { value: 'full', label: t('namesFull') },
                    { value: 'initials', label: t('namesInitials') },
                    { value: 'numbers', label: t('namesNumbers') },
                  ]}
                  allowDeselect={false}
                  comboboxProps={{ withinPortal: false }}
                />
                <Switch
                  label={t('plusOnly')}
                  description={t('plusOnlyHint')}
                  checked={settings.plusOnly}
                  onChange={(event) => onChange({ plusOnly: event.currentTarget.checked })}
                />
              </>
            )}
            <Text size="sm" fw={500} mb={-6}>
              {t('scheme')}
            </Text>
            <ColorSchemeSwitch fullWidth />
          </Stack>
        </Popover.Dropdown>
      </Popover>
      {offered && (
        <Tooltip label={t('timer')}>
          <ActionIcon
            variant="default"
            size={44}
            aria-label={t('timer')}
            onClick={() => change({ ...timer, shown: !timer.shown })}
          >
            <IconStopwatch aria-hidden size={22} />
          </ActionIcon>
        </Tooltip>
      )}
      <Tooltip label={screenLabel}>
        <ActionIcon variant="default" size={44} aria-label={screenLabel} onClick={() => void toggle()}>
          <ScreenIcon aria-hidden size={22} />
        </ActionIcon>
      </Tooltip>
      <Tooltip label={t('back')}>
        <ActionIcon component={Link} to="/scoring" variant="default" size={44} aria-label={t('back')}>
          <IconArrowLeft aria-hidden size={22} />
        </ActionIcon>
      </Tooltip>
    </>
  );
}
