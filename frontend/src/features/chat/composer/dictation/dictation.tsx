import type { ComponentProps } from 'react';
import { DictationBar } from './dictation-bar';
import { DictationButton } from './dictation-button';

/** The microphone of the composer or, with a field, the bar of a recording: one chunk for both. */
export default function Dictation(props: ComponentProps<typeof DictationBar> | ComponentProps<typeof DictationButton>) {
  return 'field' in props ? <DictationBar {...props} /> : <DictationButton {...props} />;
}
