import { Button, Menu } from '@mantine/core';
import {
  IconClipboardCheck,
  IconDeviceRemote,
  IconHandClick,
  IconStopwatch,
  IconTools,
  IconVolume,
  IconVolumeOff,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTexts } from '../../../i18n/texts.ts';
import { useTools } from '../../use-tool.ts';
import { useSound } from '../sound/use-sound.ts';
import { useTimer } from '../timer/use-timer.ts';
import { texts } from './texts.ts';

interface ToolsMenuProps {
  readonly onTouchBoard: () => void;
  readonly onRemote: () => void;
}

export function ToolsMenu({ onTouchBoard, onRemote }: ToolsMenuProps) {
  const t = useTexts(texts);
  const has = useTools();
  const sound = useSound();
  const { timer, change } = useTimer();
  const SoundIcon = sound.on ? IconVolume : IconVolumeOff;
  const any = (['timer', 'attendance', 'touchBoard', 'clicker', 'sound'] as const).some(has);
  if (!any) return null;
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <Button variant="default" leftSection={<IconTools aria-hidden size={18} />}>
          <span className="words-on-wide">{t('tools')}</span>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {has('timer') && (
          <Menu.Item
            leftSection={<IconStopwatch aria-hidden size={18} />}
            onClick={() => change({ ...timer, shown: true })}
          >
            {t('timer')}
          </Menu.Item>
        )}
        {has('attendance') && (
          <Menu.Item
            component={Link}
            to="/attendance"
            leftSection={<IconClipboardCheck aria-hidden size={18} />}
          >
            {t('attendance')}
          </Menu.Item>
        )}
        {has('touchBoard') && (
          <Menu.Item leftSection={<IconHandClick aria-hidden size={18} />} onClick={onTouchBoard}>
            {t('touchBoard')}
          </Menu.Item>
        )}
        {has('clicker') && (
          <Menu.Item leftSection={<IconDeviceRemote aria-hidden size={18} />} onClick={onRemote}>
            {t('remote')}
          </Menu.Item>
        )}
        {sound.offered && (
          <Menu.Item
            leftSection={<SoundIcon aria-hidden size={18} />}
            closeMenuOnClick={false}
            onClick={() => sound.setOn(!sound.on)}
          >
            {t(sound.on ? 'soundOn' : 'soundOff')}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
