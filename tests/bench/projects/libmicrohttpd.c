/* SPDX-License-Identifier: MIT */
#include <assert.h>
#include <microhttpd.h>
static enum MHD_Result reply(void *data, struct MHD_Connection *connection, const char *url, const char *method,
			     const char *version, const char *upload, size_t *size, void **own)
{
	return MHD_NO;
}
int main(void)
{
	struct MHD_Daemon *daemon = MHD_start_daemon(MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_NO_LISTEN_SOCKET | MHD_USE_ITC, 0,
						     NULL, NULL, reply, NULL, MHD_OPTION_END);
	assert(daemon);
	MHD_stop_daemon(daemon);
}
