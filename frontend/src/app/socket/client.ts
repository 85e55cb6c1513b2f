/** In a chunk of its own, without the parts of the library that nothing here uses. */
export { io } from 'socket.io-client';
