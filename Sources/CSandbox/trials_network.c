// Attempts to create or use sockets.

#include "trials.h"

#include <linux/netlink.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

static int udp_socket(const csandbox_resources *resources) {
    (void)resources;
    return csandbox_error_of(socket(AF_INET, SOCK_DGRAM, 0));
}

static int tcp_socket(const csandbox_resources *resources) {
    (void)resources;
    return csandbox_error_of(socket(AF_INET, SOCK_STREAM, 0));
}

static int unix_socket(const csandbox_resources *resources) {
    (void)resources;
    return csandbox_error_of(socket(AF_UNIX, SOCK_STREAM, 0));
}

static int netlink_socket(const csandbox_resources *resources) {
    (void)resources;
    return csandbox_error_of(socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE));
}

static int connect_socket(const csandbox_resources *resources) {
    const struct sockaddr_in *address = &resources->listener;
    return csandbox_error_of(connect(resources->tcp, (const struct sockaddr *)address, sizeof(*address)));
}

static int send_datagram(const csandbox_resources *resources) {
    struct sockaddr_in address = resources->listener;
    struct iovec part = {.iov_base = "x", .iov_len = 1};
    struct msghdr message = {
        .msg_name = &address, .msg_namelen = sizeof(address), .msg_iov = &part, .msg_iovlen = 1};
    return csandbox_error_of(sendmsg(resources->udp, &message, MSG_NOSIGNAL));
}

// Sends a descriptor over the socket that is a decoder's standard input.
static int pass_descriptor(const csandbox_resources *resources) {
    (void)resources;
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control = {0};
    const int descriptor = STDIN_FILENO;
    struct iovec part = {.iov_base = "x", .iov_len = 1};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof(control.bytes)};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(descriptor));
    memcpy(CMSG_DATA(header), &descriptor, sizeof(descriptor));
    return csandbox_error_of(sendmsg(STDIN_FILENO, &message, MSG_NOSIGNAL));
}

static const csandbox_trial_entry TRIALS[] = {
    {"make a UDP socket", udp_socket, 0},
    {"make a TCP socket", tcp_socket, 0},
    {"make a Unix socket", unix_socket, 0},
    {"make a netlink socket", netlink_socket, 0},
    {"connect an inherited TCP socket", connect_socket, 0},
    {"send over an inherited UDP socket", send_datagram, 0},
    {"pass a descriptor over its socket", pass_descriptor, 0},
};

const csandbox_trial_group csandbox_network_trials = CSANDBOX_TRIAL_GROUP(TRIALS);
