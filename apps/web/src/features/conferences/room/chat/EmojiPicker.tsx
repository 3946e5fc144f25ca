import type { KeyboardEvent } from 'react';
import { Popover } from '../../../../ui/Popover.tsx';
import { useT } from '../../texts.ts';

/** Shown in this order, ten in a row. Screen readers know their names in the user's language. */
const EMOJI = [
  '😀 😂 😊 😍 😘 😎 🤔 😐 🙄 😏',
  '😢 😭 😡 😱 😴 🤒 😇 🤗 🤫 😅',
  '👍 👎 👌 ✌️ 👏 🙏 💪 👋 🤝 ☝️',
  '❤️ 💔 💯 ✨ 🔥 🎉 🎂 🎁 🌹 ⭐',
  '✅ ❌ ❓ ❗ ⚠️ ⏰ 📅 📌 📎 💡',
  '☕ 🍵 🍚 🍎 🚗 ✈️ 🏠 🏥 💻 📞',
].flatMap((row) => row.split(' '));
const COLUMNS = 10;

/** A grid of emoji; arrow keys move through it. */
export function EmojiPicker({
  anchor,
  onChosen,
  onClose,
}: {
  anchor: HTMLElement;
  onChosen: (emoji: string) => void;
  onClose: () => void;
}) {
  const t = useT();
  return (
    <Popover form label={t('chatMore.emoji')} anchor={anchor} testId="emoji" onClose={onClose}>
      <div className="emoji-grid" onKeyDown={moveInGrid}>
        {EMOJI.map((emoji) => (
          <button
            key={emoji}
            type="button"
            className="emoji"
            onClick={() => {
              onChosen(emoji);
              onClose();
            }}
          >
            {emoji}
          </button>
        ))}
      </div>
    </Popover>
  );
}

function moveInGrid(event: KeyboardEvent<HTMLDivElement>): void {
  const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: COLUMNS, ArrowUp: -COLUMNS }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  const buttons = [...event.currentTarget.querySelectorAll('button')];
  buttons[buttons.indexOf(document.activeElement as HTMLButtonElement) + step]?.focus();
}
