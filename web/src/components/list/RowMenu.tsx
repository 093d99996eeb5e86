import { ActionIcon, Loader, Menu } from '@mantine/core';
import { type Icon, IconDots, IconTrash } from '@tabler/icons-react';
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
import { useTexts } from '../../i18n/texts.ts';
import { texts } from './texts.ts';

interface RowMenuProps {
  readonly name: string;
  readonly children: ReactNode;
  readonly busy?: boolean;
  readonly atTitle?: boolean;
}

const ButtonContext = createContext<RefObject<HTMLButtonElement | null>>({ current: null });

/** Creates the menu when it is first opened, because creating one for each of 200 rows is slow. */
export function RowMenu({ name, children, busy = false, atTitle = false }: RowMenuProps) {
  const t = useTexts(texts);
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const [used, setUsed] = useState(false);
  const [opened, setOpened] = useState(false);
  useEffect(() => {
    if (!used) return;
    // Focuses the button, because not all browsers do so, and the menu returns the focus to it when it closes.
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
        // A disabled button would lose the focus.
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
  readonly ref?: Ref<HTMLButtonElement | null>;
}

function StandIn({ button, ref }: StandInProps) {
  useImperativeHandle<HTMLButtonElement | null, HTMLButtonElement | null>(ref, () => button.current);
  return null;
}

interface ChoiceProps {
  readonly onChoose: () => void;
  readonly children: ReactNode;
}

/** Focuses the button before the menu closes, so that a dialog can return the focus to it. */
function useChoice(onChoose: () => void): () => void {
  const button = use(ButtonContext);
  return () => {
    button.current?.focus();
    onChoose();
  };
}

export function MenuEntry({ icon: Shown, onChoose, children }: ChoiceProps & { readonly icon: Icon }) {
  return (
    <Menu.Item leftSection={<Shown aria-hidden size={16} />} onClick={useChoice(onChoose)}>
      {children}
    </Menu.Item>
  );
}

interface MenuLinkProps {
  readonly icon: Icon;
  /** Renders the link: `(props) => <Link to="/students" {...props} />`. */
  readonly link: (props: object) => ReactNode;
  readonly children: ReactNode;
}

export function MenuLink({ icon: Shown, link, children }: MenuLinkProps) {
  return (
    <Menu.Item leftSection={<Shown aria-hidden size={16} />} renderRoot={link}>
      {children}
    </Menu.Item>
  );
}

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
