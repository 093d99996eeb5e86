import { ActionIcon, type ActionIconProps, Loader, Menu } from '@mantine/core';
import { type Icon, IconDots, IconPlayerPause, IconPlayerPlay, IconTrash } from '@tabler/icons-react';
import {
  type ComponentPropsWithoutRef,
  createContext,
  type ReactNode,
  type RefObject,
  use,
  useEffect,
  useRef,
  useState,
} from 'react';
import { commonTexts } from '../../i18n/common-texts.ts';
import { useTexts } from '../../i18n/texts.ts';
import { texts } from './texts.ts';

interface RowMenuProps {
  /** What the row is called. */
  readonly name: string;
  /** MenuEntry, EnableEntry, DeleteEntry. */
  readonly children: ReactNode;
  /** Something that was chosen in it is on its way to the server. */
  readonly busy?: boolean;
  /** Beside the title of a page, where the button stands among others. */
  readonly atTitle?: boolean;
}

type ButtonProps = ActionIconProps & Omit<ComponentPropsWithoutRef<'button'>, 'color' | 'style'>;

const ButtonContext = createContext<RefObject<HTMLButtonElement | null>>({ current: null });

/** What can be done to one row of a list. The menu is made when it is first opened: two hundred of them are slow. */
export function RowMenu({ name, children, busy = false, atTitle = false }: RowMenuProps) {
  const t = useTexts(texts);
  const [used, setUsed] = useState(false);
  const button: ButtonProps = {
    ...(atTitle ? { variant: 'default', size: 36 } : { variant: 'subtle', color: 'gray' }),
    'aria-label': t('actionsFor', { name }),
    // Not disabled meanwhile: it would lose the focus.
    'aria-busy': busy,
    children: busy ? <Loader size={16} /> : <IconDots aria-hidden size={18} />,
  };
  if (used) return <UsedMenu button={button}>{children}</UsedMenu>;
  return <ActionIcon {...button} aria-haspopup="menu" onClick={() => setUsed(true)} />;
}

interface UsedMenuProps {
  readonly button: ButtonProps;
  readonly children: ReactNode;
}

/** Opens at once. Its button, which took the place of the one that was pressed, has the focus before. */
function UsedMenu({ button, children }: UsedMenuProps) {
  const [opened, setOpened] = useState(false);
  const target = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    target.current?.focus();
    setOpened(true);
  }, []);
  return (
    <Menu opened={opened} onChange={setOpened} position="bottom-end">
      <Menu.Target>
        <ActionIcon {...button} ref={target} />
      </Menu.Target>
      <Menu.Dropdown miw={180}>
        <ButtonContext value={target}>{children}</ButtonContext>
      </Menu.Dropdown>
    </Menu>
  );
}

interface ChoiceProps {
  readonly onChoose: () => void;
  readonly children: ReactNode;
}

/** The entry goes with the menu; the button has the focus before, so that a dialog can give it back. */
function useChoice(onChoose: () => void): () => void {
  const button = use(ButtonContext);
  return () => {
    button.current?.focus();
    onChoose();
  };
}

/** An entry of a row's menu. */
export function MenuEntry({ icon: Shown, onChoose, children }: ChoiceProps & { readonly icon: Icon }) {
  return (
    <Menu.Item leftSection={<Shown aria-hidden size={16} />} onClick={useChoice(onChoose)}>
      {children}
    </Menu.Item>
  );
}

interface MenuLinkProps {
  readonly icon: Icon;
  /** Makes the link: `(props) => <Link to="/students" {...props} />`. */
  readonly link: (props: object) => ReactNode;
  readonly children: ReactNode;
}

/** An entry that leads to another page. */
export function MenuLink({ icon: Shown, link, children }: MenuLinkProps) {
  return (
    <Menu.Item leftSection={<Shown aria-hidden size={16} />} renderRoot={link}>
      {children}
    </Menu.Item>
  );
}

interface EnableEntryProps {
  readonly disabled: boolean;
  /** Takes nothing from anybody, so that nobody needs to be asked. */
  readonly onEnable: () => void;
  readonly onDisable: () => void;
}

/** Disables what is enabled, and the other way round. */
export function EnableEntry({ disabled, onEnable, onDisable }: EnableEntryProps) {
  const c = useTexts(commonTexts);
  return disabled ? (
    <MenuEntry icon={IconPlayerPlay} onChoose={onEnable}>
      {c('enable')}
    </MenuEntry>
  ) : (
    <MenuEntry icon={IconPlayerPause} onChoose={onDisable}>
      {c('disable')}
    </MenuEntry>
  );
}

/** The last entry, apart from the others: it ends what the row is about. */
export function DeleteEntry({ onChoose, children }: ChoiceProps) {
  return (
    <>
      <Menu.Divider />
      <Menu.Item color="red" leftSection={<IconTrash aria-hidden size={16} />} onClick={useChoice(onChoose)}>
        {children}
      </Menu.Item>
    </>
  );
}
