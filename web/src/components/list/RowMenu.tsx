import { ActionIcon, Loader, Menu } from '@mantine/core';
import { type Icon, IconDots, IconPlayerPause, IconPlayerPlay, IconTrash } from '@tabler/icons-react';
import {
  createContext,
  type ReactNode,
  type Ref,
  type RefObject,
  use,
  useEffect,
  useId,
  useImperativeHandle,
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

const ButtonContext = createContext<RefObject<HTMLButtonElement | null>>({ current: null });

/** What can be done to one row of a list. The menu is made when it is first opened: two hundred of them are slow. */
export function RowMenu({ name, children, busy = false, atTitle = false }: RowMenuProps) {
  const t = useTexts(texts);
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const [used, setUsed] = useState(false);
  const [opened, setOpened] = useState(false);
  useEffect(() => {
    if (!used) return;
    // Not every browser focuses what is pressed; the menu gives the focus back to what had it.
    button.current?.focus();
    setOpened(true);
  }, [used]);
  return (
    <>
      <ActionIcon
        {...(atTitle ? { variant: 'default', size: 36 } : { variant: 'subtle', color: 'gray' })}
        ref={button}
        id={`${id}-target`}
        aria-label={t('actionsFor', { name })}
        aria-haspopup="menu"
        aria-expanded={opened}
        aria-controls={opened ? `${id}-dropdown` : undefined}
        // Not disabled meanwhile: it would lose the focus.
        aria-busy={busy}
        onClick={() => (used ? setOpened(!opened) : setUsed(true))}
      >
        {busy ? <Loader size={16} /> : <IconDots aria-hidden size={18} />}
      </ActionIcon>
      {used && (
        <Menu id={id} opened={opened} onChange={setOpened} position="bottom-end">
          <Menu.Target>
            <StandIn button={button} />
          </Menu.Target>
          <Menu.Dropdown miw={180}>
            <ButtonContext value={button}>{children}</ButtonContext>
          </Menu.Dropdown>
        </Menu>
      )}
    </>
  );
}

interface StandInProps {
  readonly button: RefObject<HTMLButtonElement | null>;
  /** The menu asks by it where to stand. */
  readonly ref?: Ref<HTMLButtonElement | null>;
}

/** Names the button to a menu that is made around it later, so that it stays the one that is pressed twice in place. */
function StandIn({ button, ref }: StandInProps) {
  useImperativeHandle<HTMLButtonElement | null, HTMLButtonElement | null>(ref, () => button.current);
  return null;
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
  /** Takes nothing from anyone, so that no one needs to be asked. */
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
