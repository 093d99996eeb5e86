import { Group, Kbd, Modal, Stack, Switch, Table, Title } from '@mantine/core';
import { useTexts } from '../../../i18n/texts.ts';
import { useToolCheck } from '../../use-is-tool-enabled.ts';
import { texts } from './texts.ts';
import { useBoardSettings } from './use-board-settings.ts';

/** Several keys in an entry are alternatives. */
const keyNames = {
  digits: ['1', '…', '9', '0'],
  all: ['A'],
  invert: ['I'],
  none: ['Esc'],
  random: ['R'],
  search: ['/'],
  timer: ['T'],
  arrows: ['←', '↑', '→', '↓'],
  space: ['␣'],
  enter: ['⏎'],
  undo: ['Ctrl / ⌘', 'Z'],
  help: ['?'],
} as const;

export function ShortcutsDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts(texts);
  const [{ singleKeys }, change] = useBoardSettings();
  const has = useToolCheck();
  const keys = [
    [keyNames.digits, t('keyDigits')],
    [keyNames.all, t('keyAll')],
    [keyNames.invert, t('keyInvert')],
    [keyNames.none, t('keyNone')],
    [keyNames.arrows, t('keyArrows')],
    [keyNames.space, t('keySpace')],
    [keyNames.enter, t('keyEnter')],
    [keyNames.random, t('keyRandom')],
    [keyNames.search, t('keySearch')],
    ...(has('timer') ? ([[keyNames.timer, t('keyTimer')]] as const) : []),
    [keyNames.undo, t('keyUndo')],
    [keyNames.help, t('keyHelp')],
  ] as const;
  const gestures = [
    [t('gestureTap'), t('gestureTapText')],
    [t('gestureLabel'), t('gestureLabelText')],
    [t('gestureDrag'), t('gestureDragText')],
    [t('gestureShift'), t('gestureShiftText')],
  ] as const;
  return (
    <Modal opened onClose={onClose} title={t('shortcutsTitle')} size="lg">
      <Stack>
        <Switch
          label={t('singleKeys')}
          description={t('singleKeysHint')}
          checked={singleKeys}
          onChange={(event) => change({ singleKeys: event.currentTarget.checked })}
        />
        <KeyTable keys={keys} />
        <Title order={3}>{t('gesturesTitle')}</Title>
        <Table verticalSpacing={6} withRowBorders={false}>
          <Table.Tbody>
            {gestures.map(([how, does]) => (
              <Table.Tr key={how}>
                <Table.Td w={170}>{how}</Table.Td>
                <Table.Td>{does}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Stack>
    </Modal>
  );
}

function KeyTable({ keys }: { readonly keys: readonly (readonly [readonly string[], string])[] }) {
  return (
    <Table verticalSpacing={6} withRowBorders={false}>
      <Table.Tbody>
        {keys.map(([pressed, does]) => (
          <Table.Tr key={does}>
            <Table.Td w={170}>
              <Group gap={4}>
                {pressed.map((key) => (
                  <Kbd key={key}>{key}</Kbd>
                ))}
              </Group>
            </Table.Td>
            <Table.Td>{does}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
