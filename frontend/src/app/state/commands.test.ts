import { commandOf, onCommand, runCommand } from './commands';

const press = (key: string, held: Partial<Record<'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey', boolean>> = {}) =>
  commandOf({ key, ctrlKey: false, metaKey: false, shiftKey: false, altKey: false, ...held });

describe('commandOf', () => {
  it('knows a shortcut by all of its keys', () => {
    expect(press('K', { ctrlKey: true })).toBe('search');
    expect(press('k', { ctrlKey: true })).toBe('search');
    expect(press('Escape', { shiftKey: true })).toBe('focus-composer');
  });

  it('takes Cmd for Ctrl', () => {
    expect(press('o', { metaKey: true, shiftKey: true })).toBe('new-chat');
  });

  it('leaves other combinations to the browser', () => {
    expect(press('k')).toBeNull();
    expect(press('k', { ctrlKey: true, shiftKey: true })).toBeNull();
    expect(press('k', { ctrlKey: true, altKey: true })).toBeNull();
    expect(press('Escape')).toBeNull();
  });
});

describe('runCommand', () => {
  it('reaches whoever listens until they stop', () => {
    const heard: string[] = [];
    const stop = onCommand('search', () => heard.push('search'));
    runCommand('search');
    runCommand('stop');
    stop();
    runCommand('search');
    expect(heard).toEqual(['search']);
  });
});
