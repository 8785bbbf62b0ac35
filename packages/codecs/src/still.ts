import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { LARGEST_PICTURE_PIXELS, readPictureHeader } from './pictures/header.ts';

/** Why FFmpeg gave no picture of a video. */
export type StillFailure = 'not_installed' | 'failed';

const LONGEST_MS = 10_000;
/** Seconds of processor time, and kilobytes of address space where the system has them; enforced also after this process has ended. */
const LIMITS = 'ulimit -t 10; ulimit -v 1500000 2>/dev/null; exec "$@"';
const NO_SUCH_PROGRAM = 127;
const LARGEST_STILL_BYTES = 64 * 1024;

const run = promisify(execFile);

/** The first picture of a video, by FFmpeg: a process of its own, which may open this file only. */
export async function takeStill(
  ffmpeg: string,
  path: string,
  side: number,
): Promise<Uint8Array | StillFailure> {
  const args = [
    ...['-nostdin', '-v', 'error', '-threads', '1', '-max_pixels', `${LARGEST_PICTURE_PIXELS}`],
    ...['-protocol_whitelist', 'file', '-format_whitelist', 'mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi'],
    ...['-i', `file:${path}`, '-map', '0:v:0', '-frames:v', '1', '-filter_threads', '1'],
    ...['-vf', `scale='min(${side},iw)':'min(${side},ih)':force_original_aspect_ratio=decrease`],
    ...['-f', 'image2pipe', '-c:v', 'mjpeg', '-q:v', '8', 'pipe:1'],
  ];
  // A shell sets the limits; Windows has neither.
  const [program, ...words] =
    process.platform === 'win32' ? [ffmpeg, ...args] : ['/bin/sh', '-c', LIMITS, 'sh', ffmpeg, ...args];
  try {
    const { stdout } = await run(program ?? ffmpeg, words, {
      ...{ encoding: 'buffer', timeout: LONGEST_MS, killSignal: 'SIGKILL', maxBuffer: LARGEST_STILL_BYTES },
      windowsHide: true,
    });
    return readPictureHeader(stdout)?.format === 'jpeg' ? stdout : 'failed';
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error;
    return error.code === 'ENOENT' || error.code === NO_SUCH_PROGRAM ? 'not_installed' : 'failed';
  }
}
