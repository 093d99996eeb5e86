import { Button, Group, SegmentedControl } from '@mantine/core';
import { useInterval } from '@mantine/hooks';
import {
  IconArrowsDiagonal,
  IconArrowsDiagonalMinimize2,
  IconMinus,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlus,
  IconRefresh,
  IconX,
} from '@tabler/icons-react';
import { type KeyboardEvent, useState } from 'react';
import { useIsPhone } from '../../../components/use-is-phone.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { useIsToolEnabled } from '../../use-is-tool-enabled.ts';
import { IconButton, optionsOf, useOwnStorage } from '../parts.tsx';
import classes from './Timer.module.css';
import { texts } from './texts.ts';
import {
  formatTimer,
  hasRunOut,
  newCountdown,
  newTimer,
  resetTimer,
  type Timer,
  toggleTimer,
} from './timer.ts';

const minuteMs = 60_000;
const presets = [1, 3, 5, 10];

export function useTimer() {
  const offered = useIsToolEnabled('timer');
  const [timer, change] = useOwnStorage('timer', newTimer);
  return { offered, timer, change };
}

export function TimerPanel({ large: largeAtFirst = false }: { readonly large?: boolean }) {
  const { offered, timer, change } = useTimer();
  // Opens small if the timer was already open on another page, so that it does not cover this page.
  const [leftOpen, setLeftOpen] = useState(timer.shown);
  if (leftOpen && !timer.shown) setLeftOpen(false);
  if (!offered || !timer.shown) return null;
  return <Shown timer={timer} onChange={change} largeAtFirst={largeAtFirst && !leftOpen} />;
}

interface TimerProps {
  readonly timer: Timer;
  readonly onChange: (next: Timer) => void;
}

function Shown({ timer, onChange, largeAtFirst }: TimerProps & { readonly largeAtFirst: boolean }) {
  const t = useTexts(texts);
  const [large, setLarge] = useState(largeAtFirst);
  const now = useNow();
  const over = hasRunOut(timer, now);
  const runs = timer.since !== null && !over;
  const Start = runs ? IconPlayerPause : IconPlayerPlay;
  const toggle = () => onChange(toggleTimer(timer, Date.now()));
  const reset = () => onChange(resetTimer(timer));
  const close = () => onChange({ ...resetTimer(timer), shown: false });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    if (large && !largeAtFirst) setLarge(false);
    else close();
  };
  // The panel is a bar from the first start to the reset, so that stopping moves nothing.
  const isBar = !large && (timer.since !== null || timer.passed > 0);
  const reading = (
    <div className={classes.reading}>
      <div className={classes.time} role="timer" data-long={formatTimer(timer, now).length > 5 || undefined}>
        {formatTimer(timer, now)}
      </div>
      <div className={classes.timeUp} role="status">
        {over && t('over')}
      </div>
    </div>
  );
  const aside = (
    <Group gap={0} wrap="nowrap">
      <IconButton
        icon={large ? IconArrowsDiagonalMinimize2 : IconArrowsDiagonal}
        iconSize={20}
        label={t(large ? 'small' : 'large')}
        onClick={() => setLarge(!large)}
      />
      <IconButton icon={IconX} iconSize={20} label={t('close')} onClick={close} />
    </Group>
  );
  return (
    <section
      className={classes.panel}
      aria-label={t('timer')}
      data-large={large || undefined}
      data-over={over || undefined}
      data-bar={isBar || undefined}
      onKeyDown={onKeyDown}
    >
      {isBar ? (
        <>
          {reading}
          <IconButton
            variant="filled"
            color="teal"
            size={44}
            radius="xl"
            icon={Start}
            iconSize={22}
            label={t(runs ? 'pause' : 'start')}
            onClick={toggle}
            ref={onFirstShown}
          />
          <IconButton icon={IconRefresh} iconSize={20} label={t('reset')} onClick={reset} />
          {aside}
        </>
      ) : (
        <>
          <Group gap={4} justify="space-between" wrap="nowrap">
            <SegmentedControl
              aria-label={t('mode')}
              size={large ? 'md' : 'xs'}
              value={timer.mode}
              onChange={(mode) => onChange({ ...resetTimer(timer), mode })}
              data={optionsOf({ down: t('countdown'), up: t('stopwatch') })}
            />
            {aside}
          </Group>
          {reading}
          {timer.mode === 'down' && !runs && <Lengths timer={timer} large={large} onChange={onChange} />}
          <Group gap={8} justify="center">
            <Button
              size={large ? 'xl' : 'md'}
              leftSection={<Start aria-hidden size={20} />}
              onClick={toggle}
              data-autofocus
              ref={onFirstShown}
            >
              {t(runs ? 'pause' : 'start')}
            </Button>
            <Button
              size={large ? 'xl' : 'md'}
              variant="default"
              leftSection={<IconRefresh aria-hidden size={20} />}
              disabled={timer.since === null && timer.passed === 0}
              onClick={reset}
            >
              {t('reset')}
            </Button>
          </Group>
        </>
      )}
    </section>
  );
}

function Lengths({ timer, large, onChange }: TimerProps & { readonly large: boolean }) {
  const t = useTexts(texts);
  const onPhone = useIsPhone();
  const lengthen = (by: number) => onChange(newCountdown(timer, timer.length + by));
  return (
    <Group gap={4} justify="center" wrap="nowrap">
      <IconButton
        variant="default"
        icon={IconMinus}
        label={t('shorter')}
        onClick={() => lengthen(-minuteMs)}
      />
      {presets.map((count) => (
        <Button
          key={count}
          variant={timer.length === count * minuteMs ? 'light' : 'default'}
          px={8}
          h={40}
          miw="max(44px, var(--target))"
          aria-label={t('minutes', { count })}
          onClick={() => onChange(newCountdown(timer, count * minuteMs))}
        >
          {large && !onPhone ? t('minutes', { count }) : count}
        </Button>
      ))}
      <IconButton variant="default" icon={IconPlus} label={t('longer')} onClick={() => lengthen(minuteMs)} />
    </Group>
  );
}

/** Focuses the start button, so that Space and Enter start the timer, unless the user types in a field. */
function onFirstShown(button: HTMLButtonElement | null): void {
  const { activeElement } = document;
  if (button && !(activeElement instanceof HTMLInputElement)) button.focus({ preventScroll: true });
}

/** Returns the current time, often enough for a clock that shows seconds. */
function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useInterval(() => setNow(Date.now()), 100, { autoInvoke: true });
  return now;
}
