/** Imported first, before any syntax that an older Node does not support. */
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(
    `Tanya needs Node 20.19 or later; this is ${process.versions.node}. See https://nodejs.org/en/download`,
  );
  process.exit(1);
}
