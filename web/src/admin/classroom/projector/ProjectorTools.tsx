import { Popover, SegmentedControl, Select, Stack, Switch, Text, Tooltip } from '@mantine/core';
import { useFullscreenDocument } from '@mantine/hooks';
import {
  IconAdjustments,
  IconArrowLeft,
  IconMaximize,
  IconMinimize,
  IconStopwatch,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ComponentProps } from 'react';
import { ColorSchemeSwitch } from '../../../components/ColorSchemeSwitch.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { useIsToolEnabled } from '../../use-is-tool-enabled.ts';
import { IconButton, optionsOf, useOwnStorage } from '../parts.tsx';
import { useTimer } from '../timer/TimerPanel.tsx';
import type { NameDisplay } from './rank-students.ts';
import { texts } from './texts.ts';

interface ProjectorSettings {
  readonly show: 'leaders' | 'everybody' | 'teams';
  readonly rows: number;
  readonly order: 'name' | 'points';
  readonly names: NameDisplay;
  readonly plusOnly: boolean;
}

const defaultSettings: ProjectorSettings = {
  show: 'leaders',
  rows: 10,
  order: 'name',
  names: 'full',
  plusOnly: false,
};

export function useProjectorSettings() {
  const [chosen, store] = useOwnStorage<Partial<ProjectorSettings>>('projector', {});
  const change = (changed: Partial<ProjectorSettings>) => store((before) => ({ ...before, ...changed }));
  return [{ ...defaultSettings, ...chosen }, change] as const;
}

const rowChoices = [5, 10, 15];
/** The lists stay inside the popover, which a press outside closes. */
const select = { allowDeselect: false, comboboxProps: { withinPortal: false } } as const;

export function ProjectorTools() {
  const t = useTexts(texts);
  const [settings, onChange] = useProjectorSettings();
  const { offered, timer, change } = useTimer();
  const hasTeams = useIsToolEnabled('teams');
  const { toggle, fullscreen } = useFullscreenDocument();
  return (
    <>
      <Popover position="bottom-end" width={320} shadow="md" radius="lg" trapFocus returnFocus>
        <Popover.Target>
          <IconButton {...large} icon={IconAdjustments} label={t('settings')} />
        </Popover.Target>
        <Popover.Dropdown p="md" aria-label={t('settings')}>
          <Stack gap="sm">
            <SegmentedControl
              aria-label={t('show')}
              fullWidth
              value={settings.show === 'teams' && !hasTeams ? 'leaders' : settings.show}
              onChange={(show) => onChange({ show })}
              data={optionsOf({
                leaders: t('leaders'),
                everybody: t('everybody'),
                ...(hasTeams && { teams: t('teams') }),
              })}
            />
            {settings.show === 'everybody' && (
              <Select
                {...select}
                label={t('order')}
                value={settings.order}
                onChange={(order) => order && onChange({ order })}
                data={optionsOf({
                  name: t(settings.names === 'numbers' ? 'byNumber' : 'byName'),
                  points: t('byPoints'),
                })}
              />
            )}
            {settings.show === 'leaders' && (
              <Select
                {...select}
                label={t('howMany')}
                value={settings.rows}
                onChange={(rows) => rows && onChange({ rows })}
                data={rowChoices.map((count) => ({ value: count, label: t('first', { count }) }))}
              />
            )}
            {settings.show !== 'teams' && (
              <>
                <Select
                  {...select}
                  label={t('names')}
                  value={settings.names}
                  onChange={(names) => names && onChange({ names })}
                  data={optionsOf({
                    full: t('namesFull'),
                    initials: t('namesInitials'),
                    numbers: t('namesNumbers'),
                  })}
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
        <Tool
          icon={IconStopwatch}
          label={t('timer')}
          onClick={() => change({ ...timer, shown: !timer.shown })}
        />
      )}
      <Tool
        icon={fullscreen ? IconMinimize : IconMaximize}
        label={t(fullscreen ? 'leaveFullScreen' : 'fullScreen')}
        onClick={() => void toggle()}
      />
      <Tool
        renderRoot={(props) => <Link to="/scoring" {...props} />}
        icon={IconArrowLeft}
        label={t('back')}
      />
    </>
  );
}

const large = { variant: 'default', size: 44, iconSize: 22 } as const;

function Tool(props: ComponentProps<typeof IconButton>) {
  return (
    <Tooltip label={props.label}>
      <IconButton {...large} {...props} />
    </Tooltip>
  );
}
