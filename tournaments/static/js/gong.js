/* A gong, without a file: a few falling tones of a struck disc. */

const PARTIALS = [
  [110, 1],
  [164, 0.6],
  [233, 0.45],
  [329, 0.3],
  [466, 0.2],
]; // hertz, loudness
const SECONDS = 4;
const BETWEEN = 1.4; // seconds between two strokes
const LONGEST_GAP = 10; // seconds between two ticks; with more the clock was set anew

let audio = null;

/* Whether the time left passed `mark` between two ticks; never where the clock has been set. */
export function crossed(before, left, mark) {
  return before !== null && left !== null && before > mark && left <= mark && before - left < LONGEST_GAP;
}

export function strike(times) {
  audio ??= new AudioContext();
  audio.resume();
  for (let stroke = 0; stroke < times; stroke += 1) {
    for (const [pitch, loudness] of PARTIALS) sound(pitch, loudness, audio.currentTime + stroke * BETWEEN);
  }
}

function sound(pitch, loudness, at) {
  const tone = new OscillatorNode(audio, { frequency: pitch });
  const level = new GainNode(audio, { gain: 0 });
  level.gain.setValueAtTime(0, at);
  level.gain.linearRampToValueAtTime(loudness / PARTIALS.length, at + 0.02);
  level.gain.exponentialRampToValueAtTime(0.001, at + SECONDS);
  tone.connect(level).connect(audio.destination);
  tone.start(at);
  tone.stop(at + SECONDS);
}
