import { LIMITS } from '@tanya/contract';

/** The formats of browsers, the best first: Chrome and Firefox, Safari, old Firefox. */
const FORMATS = [
  ['audio/webm;codecs=opus', 'webm'],
  ['audio/mp4', 'mp4'],
  ['audio/ogg;codecs=opus', 'ogg'],
] as const;

/** Enough for speech: two minutes are half a megabyte. */
const BITS_PER_SECOND = 32_000;

/** Why no recording could begin. */
export type RecordingFault = 'denied' | 'absent' | 'failed';

const FAULTS: Record<string, RecordingFault> = {
  NotAllowedError: 'denied',
  SecurityError: 'denied',
  NotFoundError: 'absent',
};

export const faultOf = (error: unknown): RecordingFault =>
  (error instanceof DOMException && FAULTS[error.name]) || 'failed';

/** Whether the browser records at all. Without HTTPS it has no microphone. */
export const canRecord = (): boolean =>
  typeof MediaRecorder === 'function' && typeof navigator.mediaDevices?.getUserMedia === 'function';

interface Listeners {
  /** The recording as a file, once it has ended in any way but `cancel`. */
  onEnd: (file: File) => void;
  /** Loudness from 0 to 1, in each frame. */
  onLevel: (level: number) => void;
}

/** One recording of the microphone, which is free again when it has ended. */
export class Recording {
  private readonly chunks: Blob[] = [];
  private readonly timer: ReturnType<typeof setTimeout>;
  private readonly audio = new AudioContext();
  private isCancelled = false;

  private constructor(
    private readonly stream: MediaStream,
    private readonly recorder: MediaRecorder,
    private readonly listeners: Listeners,
  ) {
    recorder.ondataavailable = ({ data }) => this.chunks.push(data);
    recorder.onstop = () => this.end();
    // The microphone was unplugged, or its permission taken back.
    for (const track of stream.getTracks()) track.onended = () => this.stop();
    this.timer = setTimeout(() => this.stop(), LIMITS.dictationSeconds * 1000);
    this.measure();
    recorder.start();
  }

  /**
   * Asks for the microphone and records it until `stop`, at most for `LIMITS.dictationSeconds`.
   * @throws DOMException without a microphone; see `faultOf`
   */
  static async start(listeners: Listeners): Promise<Recording> {
    const stream = await navigator.mediaDevices.getUserMedia({ audio: { echoCancellation: true } });
    try {
      return Recording.of(stream, listeners);
    } catch (error) {
      for (const track of stream.getTracks()) track.stop();
      throw error;
    }
  }

  private static of(stream: MediaStream, listeners: Listeners): Recording {
    const mimeType = FORMATS.find(([type]) => MediaRecorder.isTypeSupported(type))?.[0];
    const recorder = new MediaRecorder(stream, { mimeType, audioBitsPerSecond: BITS_PER_SECOND });
    return new Recording(stream, recorder, listeners);
  }

  stop(): void {
    if (this.recorder.state !== 'inactive') this.recorder.stop();
    this.release();
  }

  cancel(): void {
    this.isCancelled = true;
    this.stop();
  }

  private end(): void {
    this.release();
    if (this.isCancelled) return;
    const type = this.recorder.mimeType;
    const extension = FORMATS.find(([format]) => type.startsWith(format.split(';')[0]!))?.[1] ?? 'webm';
    this.listeners.onEnd(new File(this.chunks, `speech.${extension}`, { type }));
  }

  private release(): void {
    clearTimeout(this.timer);
    for (const track of this.stream.getTracks()) {
      track.onended = null;
      track.stop();
    }
    if (this.audio.state !== 'closed') void this.audio.close();
  }

  private measure(): void {
    const analyser = this.audio.createAnalyser();
    analyser.fftSize = 512;
    this.audio.createMediaStreamSource(this.stream).connect(analyser);
    const samples = new Float32Array(analyser.fftSize);
    const read = () => {
      if (this.audio.state === 'closed') return;
      analyser.getFloatTimeDomainData(samples);
      const loudness = Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);
      // Speech has a mean amplitude of about a tenth.
      this.listeners.onLevel(Math.min(1, loudness * 6));
      requestAnimationFrame(read);
    };
    read();
  }
}
